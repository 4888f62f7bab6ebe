import { signIn, signOut, updateSession } from '@latchkey/core/binding';
import { describe, expect, it } from 'vitest';
import { Auth } from '../../src/auth.ts';
import type { AuthConfig, Cookie } from '../../src/types/config.ts';
import { lines, storeWithAda, type Visitor, visitor } from './visitor.ts';

const name = 'authjs.revision';
const right = { password: 'password', redirect: false };

function revisions(cookies: readonly Cookie[]): Cookie[] {
  return cookies.filter((cookie) => cookie.name === name);
}

async function signedIn(config: Partial<AuthConfig> = {}, hasClient = true): Promise<Visitor> {
  const visit = visitor(config);
  await signIn(visit.configured, visit.host({ hasClient }), 'credentials', right);
  return visit;
}

describe('the revision of the session', () => {
  it('changes with sign-in, update and sign-out', async () => {
    const visit = await signedIn();
    const host = () => visit.host({ hasClient: true });
    await updateSession(visit.configured, host(), { name: 'Countess' });
    await signOut(visit.configured, host(), { redirect: false });
    await signIn(visit.configured, host(), 'credentials', right);
    const values = revisions(visit.set).map(({ value }) => value);
    expect(values).toHaveLength(4);
    expect(new Set(values).size).toBe(4);
    for (const value of values) expect(value).toMatch(/^[\da-f]{32}$/);
  });

  it('is set only if the host has a client', async () => {
    const visit = await signedIn({}, false);
    await updateSession(visit.configured, visit.host(), {});
    await signOut(visit.configured, visit.host(), { redirect: false });
    expect(revisions(visit.set)).toEqual([]);
  });

  it('stays when the session is only read', async () => {
    const visit = await signedIn();
    visit.set.length = 0;
    await visit.session();
    expect(revisions(visit.set)).toEqual([]);
  });

  it('stays when nothing has changed', async () => {
    const failed = visitor();
    const host = failed.host({ hasClient: true });
    await expect(signIn(failed.configured, host, 'credentials', { password: 'wrong' })).rejects.toThrow();
    await updateSession(failed.configured, host, {});
    const gated = visitor({ callbacks: { signIn: () => '/elsewhere' } });
    await signIn(gated.configured, gated.host({ hasClient: true }), 'credentials', right);
    expect(revisions([...failed.set, ...gated.set])).toEqual([]);
  });

  it('stays when the store could not be asked for the update', async () => {
    const store = storeWithAda();
    const visit = await signedIn({ adapter: store.adapter });
    visit.set.length = 0;
    store.faults.getSessionAndUser = 'before';
    await updateSession(visit.configured, visit.host({ hasClient: true }), {});
    expect(visit.set).toEqual([]);
  });

  it('is readable by scripts, for as long as the session', async () => {
    const visit = await signedIn({ session: { maxAge: 600 } });
    const [cookie] = revisions(visit.set);
    const expires = new Date(visit.clock.now().getTime() + 600_000);
    expect(cookie?.options).toEqual({ httpOnly: false, sameSite: 'lax', path: '/', secure: false, expires });
    expect(lines(revisions(visit.set))[0]).not.toMatch(/httponly/i);
  });

  it('goes where the cookie of the session goes', async () => {
    const options = { path: '/app', domain: 'example.com', secure: true, sameSite: 'none', partitioned: true } as const;
    const visit = await signedIn({ cookies: { sessionToken: { options } } });
    expect(revisions(visit.set)[0]?.options).toMatchObject({ ...options, httpOnly: false });
    const https = visitor();
    const host = https.host({ hasClient: true, origin: 'https://example.com' });
    await signIn(https.configured, host, 'credentials', right);
    expect(revisions(https.set)[0]).toMatchObject({ name, options: { secure: true, path: '/' } });
  });

  it('is set by the handler if the host asks for it', async () => {
    const { configured } = visitor();
    const request = () =>
      new Request('http://localhost:3000/auth/callback/credentials', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(right),
      });
    const informed = await Auth(request(), configured.config, { forms: 'host-checked', revision: true });
    expect(informed.headers.getSetCookie().filter((line) => line.startsWith(`${name}=`))).toHaveLength(1);
    const silent = await Auth(request(), configured.config, { forms: 'host-checked' });
    expect(silent.headers.getSetCookie().some((line) => line.startsWith(`${name}=`))).toBe(false);
  });
});
