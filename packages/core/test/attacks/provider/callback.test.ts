import { type CallbackFault, callbackFaults } from '@latchkey/testing';
import { describe, expect, it } from 'vitest';
import { handle } from '../../../src/auth.ts';
import { settingsFor } from '../../../src/config/settings.ts';
import { readNodeRequest } from '../../../src/entry/read.ts';
import { toWireReply } from '../../../src/wire/reply.ts';
import { doors } from '../../flows/doors.ts';
import { expectRefused, fakeProvider, leadsTo, oauth, oidc, scene, startsSession } from '../../flows/scene.ts';

const formPost = { authorization: { params: { response_mode: 'form_post', scope: 'openid email' } } };

/** What the visitor is told; everything else is an answer that cannot be accepted. */
const told: Partial<Record<CallbackFault, string>> = { wrongState: 'InvalidCheck', emptyState: 'InvalidCheck' };
/** Only the provider can know that it never issued this code. */
const askedFor: readonly CallbackFault[] = ['unknownCode'];
const names = Object.keys(callbackFaults) as CallbackFault[];

describe.each(doors)('a hostile authorization response, through $name', (door) => {
  it.each(names)('is refused before its code is sent anywhere: %s', async (name) => {
    const fake = fakeProvider();
    const app = scene(door, { providers: [oidc(fake)] });
    fake.misbehave({ callback: callbackFaults[name] });
    expectRefused(app, await app.signIn(fake), told[name] ?? 'OAuthCallbackError');
    expect(fake.count('token')).toBe(askedFor.includes(name) ? 1 : 0);
    fake.behave();
    expect(startsSession(await app.signIn(fake))).toBe(true);
  });

  it.each(names)('is refused as well where it is posted: %s', async (name) => {
    const fake = fakeProvider();
    const app = scene(door, { providers: [oidc(fake, formPost)] });
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
    const fake = fakeProvider();
    const app = scene(door, { providers: [oidc(fake, formPost)] });
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
    const [door] = doors;
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
    // What is no text is none of its fields; Apple posts one beside them.
    expect(startsSession(await app.finish(await posted((code) => code, { name: 'Ada' })))).toBe(true);
  });
});
