import { type CallbackFault, callbackFaults } from '@latchkey/testing';
import { describe, expect, it } from 'vitest';
import { handle } from '../../../src/auth.ts';
import { settingsFor } from '../../../src/config/settings.ts';
import { readNodeRequest } from '../../../src/entry/request.ts';
import { encode } from '../../../src/jwt.ts';
import { toWireReply } from '../../../src/wire/reply.ts';
import { oneDoor } from '../../flows/doors.ts';
import { expectRefused, fakeProvider, leadsTo, oauth, oidc, SECRET, scene, startsSession } from '../../flows/scene.ts';
import { site } from '../site.ts';

const formPost = { authorization: { params: { response_mode: 'form_post', scope: 'openid email' } } };

/** The code in the redirect, if it is not that of an answer that cannot be accepted. */
const told: Partial<Record<CallbackFault, string>> = { wrongState: 'InvalidCheck', emptyState: 'InvalidCheck' };
/** Only the provider can know that it never issued this code. */
const askedFor: readonly CallbackFault[] = ['unknownCode'];
const names = Object.keys(callbackFaults) as CallbackFault[];

describe.each(oneDoor)('a hostile authorization response, through $name', (door) => {
  it.each(names)('is refused before its code is sent anywhere: %s', async (name) => {
    const { fake, app } = site(door);
    fake.misbehave({ callback: callbackFaults[name] });
    expectRefused(app, await app.signIn(fake), told[name] ?? 'OAuthCallbackError');
    expect(fake.count('token')).toBe(askedFor.includes(name) ? 1 : 0);
    fake.behave();
    expect(startsSession(await app.signIn(fake))).toBe(true);
  });

  it.each(names)('is refused as well where it is posted: %s', async (name) => {
    const { fake, app } = site(door, formPost);
    fake.misbehave({ callback: callbackFaults[name] });
    const { action, body } = await fake.authorizeForm((await app.begin()).location ?? '');
    const posted = await app.browser.post(action, body, { site: 'cross-site' });
    const page = posted.status === 303 ? await app.browser.follow(posted) : posted;
    expect(leadsTo(page)).toMatch(/^\/auth\/signin\?error=(OAuthCallbackError|InvalidCheck)$/);
    expect(startsSession(page)).toBe(false);
    expect(fake.count('token')).toBe(askedFor.includes(name) ? 1 : 0);
  });

  it('of a plain provider is refused when it brings an access token of its own', async () => {
    const fake = fakeProvider({ oidc: false, issParameter: false });
    const app = scene(door, { providers: [oauth(fake)] });
    fake.misbehave({ callback: callbackFaults.accessTokenInAddress });
    expectRefused(app, await app.signIn(fake, { id: 'plain' }), 'OAuthCallbackError');
    expect(fake.count()).toBe(0);
  });

  it('that was posted is read from what was posted alone, not from an address beside it', async () => {
    const { fake, app } = site(door, formPost);
    const mallory = { user: { sub: 'mallory', email: 'mallory@example.com' } };
    const evil = await fake.authorizeForm((await app.begin('fake', {}, app.visitor())).location ?? '', mallory);
    const own = await fake.authorizeForm((await app.begin()).location ?? '');
    const posted = await app.browser.post(`${own.action}?${evil.body}`, own.body, { site: 'cross-site' });
    const mixed = new URL(posted.location ?? '');
    for (const [name, value] of evil.body) mixed.searchParams.append(name, value);
    expect(startsSession(await app.finish(mixed.href))).toBe(true);
    expect(await app.session()).toMatchObject({ user: { email: 'ada@example.com' } });
  });
});

describe('a hostile authorization response that the host has read before us', () => {
  it.each<[string, (code: unknown) => unknown]>([
    ['two codes, which have become a list', (code) => ['one', code]],
    ['a code within another field, which has become an object', (code) => ({ code })],
  ])('is refused when it has %s', async (_, changed) => {
    const fake = fakeProvider();
    const [door] = oneDoor;
    if (!door) throw new Error('no door');
    const app = scene(door, { providers: [oidc(fake, formPost)] });
    const posted = async (code: (right: unknown) => unknown, user?: unknown): Promise<string> => {
      const { action, fields } = await fake.authorizeForm((await app.begin()).location ?? '');
      const request = {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: { ...fields, code: code(fields['code']), user },
        async *[Symbol.asyncIterator]() {},
      };
      const { headers } = toWireReply(await handle(readNodeRequest(request, action), settingsFor(app.config)));
      return new Headers(headers).get('location') ?? '';
    };
    expectRefused(app, await app.finish(await posted(changed)), 'OAuthCallbackError');
    expect(fake.count('token')).toBe(0);
    // Fields that are not strings are ignored. Apple posts one.
    expect(startsSession(await app.finish(await posted((code) => code, { name: 'Ada' })))).toBe(true);
  });
});

describe.each(oneDoor)('parameters of a callback, through $name', (door) => {
  it.each(['code', 'state', 'iss', 'error', 'error_description'])('given twice as %s are refused', async (name) => {
    const { fake, app } = site(door);
    const back = new URL(await fake.authorize((await app.begin()).location ?? ''));
    back.searchParams.append(name, back.searchParams.get(name) ?? 'x');
    if (name.startsWith('error')) back.searchParams.append(name, 'x');
    expectRefused(app, await app.finish(back.href), 'OAuthCallbackError');
    expect(fake.count('token')).toBe(0);
  });

  it.each([{ id_token: 'x' }, { token: 'x' }, { response: 'x' }])(
    'of another response type are refused: %j',
    async (parameters) => {
      const { fake, app } = site(door);
      const back = await fake.authorize((await app.begin()).location ?? '', { parameters: parameters as never });
      expectRefused(app, await app.finish(back), 'OAuthCallbackError');
      expect(fake.count('token')).toBe(0);
    },
  );

  it.each([undefined, ''])('without a code (%j) are refused', async (code) => {
    const { fake, app } = site(door);
    const back = await fake.authorize((await app.begin()).location ?? '', { parameters: { code } });
    expectRefused(app, await app.finish(back), 'OAuthCallbackError');
    expect(fake.count('token')).toBe(0);
  });

  it('that are unknown are ignored', async () => {
    const { fake, app } = site(door);
    const parameters = { session_state: 'x', scope: 'openid', user: '{"name":"x"}', authuser: '0' };
    const back = await fake.authorize((await app.begin()).location ?? '', { parameters });
    expect(startsSession(await app.finish(back))).toBe(true);
  });

  it('posted from another site start nothing by themselves', async () => {
    const { fake, app } = site(door);
    const back = new URL(await fake.authorize((await app.begin()).location ?? ''));
    const page = await app.browser.post('/auth/callback/fake', back.searchParams, { site: 'cross-site' });
    expect(startsSession(page)).toBe(false);
    expect(fake.count('token')).toBe(0);
  });

  it('of a refusal, however long or hostile, reach no page and no address', async () => {
    const { fake, app } = site(door);
    const description = `<img src=x onerror=alert(1)>${'x'.repeat(5000)}`;
    const back = await fake.authorize((await app.begin()).location ?? '', { deny: '"><script>', description });
    const page = await app.finish(back);
    expectRefused(app, page, 'OAuthCallbackError');
    expect((await app.browser.follow(page)).text()).not.toMatch(/onerror|<script>/);
    expect(JSON.stringify(app.log.errors[0]?.cause).length).toBeLessThan(1200);
  });
});

describe.each(oneDoor)('an answer that was posted and sealed, through $name', (door) => {
  it('is not even looked at by another provider', async () => {
    const fake = fakeProvider();
    const providers = [oidc(fake, formPost), oidc(fake, { ...formPost, id: 'other' })];
    const app = scene(door, { providers });
    const { action, fields } = await fake.authorizeForm((await app.begin('other')).location ?? '');
    const posted = await app.browser.post(action.replace('/other', '/fake'), fields, { site: 'cross-site' });
    const elsewhere = (posted.location ?? '').replace('/callback/fake', '/callback/other');
    expectRefused(app, await app.finish(elsewhere), 'InvalidCheck');
    expect(app.log.errors.at(-1)?.cause).toMatchObject({ check: 'form_post' });
    expect(fake.count('token')).toBe(0);
  });

  it('is refused if it is another value sealed with the same secret', async () => {
    const { fake, app } = site(door, formPost);
    const { fields } = await fake.authorizeForm((await app.begin()).location ?? '');
    const token = await encode({ token: { fields, provider: 'fake' }, secret: SECRET, salt: 'authjs.session-token' });
    for (const value of [token, JSON.stringify({ fields, provider: 'fake' }), '']) {
      expectRefused(
        app,
        await app.finish(`/auth/callback/fake?${new URLSearchParams({ form_post: value })}`),
        'InvalidCheck',
      );
      expect(app.log.errors.at(-1)?.cause).toMatchObject({ check: 'form_post' });
    }
    expect(fake.count('token')).toBe(0);
  });
});
