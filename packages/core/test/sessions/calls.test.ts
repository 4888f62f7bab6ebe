import { type Host, readSession, sessionsOfVisitor } from '@latchkey/core/binding';
import { CookiesNotWritable, MissingCSRF, SessionRecordsError } from '@latchkey/core/errors';
import { sessionsOf } from '@latchkey/core/sessions';
import type { VisitorSessions } from '@latchkey/core/types';
import { MemorySessionRecords, memoryAdapter } from '@latchkey/testing';
import { describe, expect, it } from 'vitest';
import { signedIn, type Visitor, visitor } from '../binding/visitor.ts';
import { makeSite, strategies } from './scene.ts';

function sessionsFor(visit: Visitor, own: Partial<Host> = {}): VisitorSessions {
  return sessionsOfVisitor(() => ({ configured: visit.configured, host: visit.host(own) }));
}

/** Three visitors who have signed in as the same user. */
async function makeVisitors() {
  const session = { records: { store: MemorySessionRecords() } };
  return [await signedIn({ session }), await signedIn({ session }), await signedIn({ session })] as const;
}

describe('the sessions of a visitor', () => {
  it('are listed where cookies cannot be set, too', async () => {
    const [visit] = await makeVisitors();
    const sessions = await sessionsFor(visit, { setCookie: undefined }).list();
    expect(sessions.map(({ current }) => current).sort()).toEqual([false, false, true]);
    expect(sessions[0]?.startedAt).toBeInstanceOf(Date);
    expect(visit.set).toEqual([]);
  });

  it('do not exist if the visitor is not signed in', async () => {
    const visit = visitor({ session: { records: { store: MemorySessionRecords() } } });
    expect(await sessionsFor(visit).list()).toEqual([]);
    expect(await sessionsFor(visit).endAll()).toEqual({ count: 0, within: 10 });
  });

  it('end one by one, or all', async () => {
    const [visit, other] = await makeVisitors();
    const [foreign] = (await sessionsFor(other).list()).filter(({ current }) => current);
    expect(await sessionsFor(visit).end(String(foreign?.id))).toEqual({ count: 1, within: 10 });
    expect(await sessionsFor(visit).endOthers()).toEqual({ count: 1, within: 10 });
    expect(await sessionsFor(visit).endAll()).toEqual({ count: 1, within: 10 });
    expect(visit.jar.has('authjs.session-token')).toBe(false);
    expect(await sessionsFor(other).list()).toEqual([]);
  });

  it('do not end where cookies cannot be set, or if another site has sent the form', async () => {
    const [visit] = await makeVisitors();
    await expect(sessionsFor(visit, { setCookie: undefined }).endAll()).rejects.toThrow(CookiesNotWritable);
    const headers = visit.host().headers;
    headers.set('origin', 'https://evil.test');
    await expect(sessionsFor(visit, { headers, forms: 'same-origin' }).endAll()).rejects.toThrow(MissingCSRF);
    expect(await sessionsFor(visit).list()).toHaveLength(3);
  });

  it('have the name of the browser, also if a page has read a session that began before', async () => {
    const visit = await signedIn();
    const session = { records: { store: MemorySessionRecords() } };
    const since = { ...visit, configured: { ...visit.configured, config: { ...visit.configured.config, session } } };
    const userAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
    const cookie = visit.host().headers.get('cookie') ?? undefined;
    await readSession(since.configured, { origin: 'http://localhost:3000', cookie, userAgent });
    expect(await sessionsFor(since).list()).toMatchObject([{ label: 'Firefox on Linux' }]);
  });

  it('need the option', async () => {
    const visit = await signedIn();
    await expect(sessionsFor(visit).list()).rejects.toThrow('session.records');
    await expect(sessionsFor(visit).endAll()).rejects.toThrow('session.records');
  });

  it('fail if the record store does, and nothing ends', async () => {
    const records = MemorySessionRecords();
    const visit = await signedIn({ session: { records: { store: records } } });
    records.fail('check');
    await expect(sessionsFor(visit).list()).rejects.toThrow(SessionRecordsError);
    records.fail('check');
    await expect(sessionsFor(visit).endAll()).rejects.toThrow(SessionRecordsError);
    expect(await sessionsFor(visit).list()).toHaveLength(1);
    expect(visit.jar.has('authjs.session-token')).toBe(true);
  });
});

describe.each(strategies)('sessionsOf(config) (%s)', (strategy) => {
  it('lists and ends the sessions of any user', async () => {
    const { app } = makeSite({ strategy });
    const phone = app.visitor();
    for (const browser of [app.browser, phone]) await app.signIn({ browser });
    const [user] = [...app.adapter.dump().users];
    // The sessions of another user stay.
    const bob = app.visitor();
    await app.signIn({ browser: bob, consent: { user: { sub: 'bob', email: 'bob@example.com' } } });
    const sessions = sessionsOf(app.config, {});
    const listed = await sessions.list(String(user?.id));
    expect(listed.map(({ current, provider }) => [current, provider])).toEqual([
      [false, 'fake'],
      [false, 'fake'],
    ]);
    const [first, second] = listed.map(({ id }) => id);
    const within = strategy === 'jwt' ? 10 : 0;
    expect(await sessions.end('another user', String(first))).toEqual({ count: 0, within });
    expect(await sessions.end(String(user?.id), String(first))).toEqual({ count: 1, within });
    expect(await sessions.endAll(String(user?.id), { except: second, reason: 'test' })).toEqual({ count: 0, within });
    expect(await sessions.endAll(String(user?.id), { provider: 'other' })).toEqual({ count: 0, within });
    expect(await sessions.endAll(String(user?.id), { provider: 'fake', reason: 'test' })).toEqual({ count: 1, within });
    expect(app.events.filter(([name]) => name === 'sessionEnded').map(([, message]) => message)).toEqual([
      { userId: user?.id, id: first, reason: 'user' },
      { userId: user?.id, id: second, reason: 'test' },
    ]);
    expect(await app.session(bob)).toMatchObject({ user: { email: 'bob@example.com' } });
  });
});

it('sessionsOf() names the missing option, or the missing store', async () => {
  const config = { providers: [], secret: 'a-secret-of-more-than-32-characters-for-tests' };
  expect(() => sessionsOf(config, {})).toThrow('`sessionsOf` needs `session.records`');
  const adapter = () => memoryAdapter();
  await expect(sessionsOf({ ...config, adapter, session: { records: true } }, {}).list('1')).rejects.toThrow(
    'Set `records.store` to `SqlSessionRecords(db)`',
  );
});
