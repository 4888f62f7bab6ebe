import { tokensOfVisitor } from '@latchkey/core/binding';
import type { AuthConfig } from '@latchkey/core/types';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { settingsFor } from '../../src/config/settings.ts';
import { entryOfCookie, openEntry, sealEntry, type Tokens } from '../../src/tokens/entry.ts';
import {
  cookieCases,
  failure,
  type Place,
  type Scene,
  signedIn,
  tokenCookies,
  tokensFor,
  visitorOf,
  withAdapter,
} from './scene.ts';

afterEach(() => {
  vi.useRealTimers();
});

/** Replaces the cookie of the browser by one with other members, under the same secret. */
async function replaceCookie(scene: Scene, members: Partial<Tokens>): Promise<void> {
  const [cookie] = tokenCookies(scene.app.browser);
  const settings = settingsFor(scene.app.config);
  const sent = await entryOfCookie(settings, cookie?.value ?? '');
  const opened = sent && (await openEntry(settings, sent));
  if (!cookie || !opened) throw new Error('the cookie does not open');
  const next = await sealEntry(settings, { ...opened.tokens, ...members }, sent.version);
  scene.app.browser.cookies.set(cookie.name, next.sealed);
}

/** The functions of tokens, and the names of the cookies that they set. */
function recording(scene: Scene, place?: Place) {
  const { configured, host } = visitorOf(scene, place);
  const names: string[] = [];
  const setCookie = ({ name }: { name: string }) => void names.push(name);
  return { tokens: tokensOfVisitor(() => ({ configured, host: { ...host, setCookie } })), names };
}

describe.each(cookieCases)('the cookie of tokens, %s', (_, options) => {
  it('is set only if the tokens have changed, and no other cookie is', async () => {
    const callbacks: AuthConfig['callbacks'] = { jwt: ({ token }) => ({ ...token, read: Math.random() }) };
    const scene = await signedIn({ ...options, config: { ...options.config, callbacks } });
    const { tokens, names } = recording(scene);
    await tokens.get('fake');
    expect(names).toEqual([]);
    scene.later(3601);
    await tokens.get('fake');
    expect(names).toEqual(['authjs.tokens']);
  });

  it('is not set where cookies cannot be set, although another request has refreshed the tokens', async () => {
    const scene = await signedIn(options);
    const late = scene.app.browser.clone();
    scene.later(3601);
    const next = await tokensFor(scene).get('fake');
    expect(await tokensFor(scene, 'read-only', late).get('fake')).toEqual(next);
    expect(scene.app.log.warnings).toEqual([]);
  });

  it.each([{ provider: 'other' }, { account: 'eve' }])('does not count with the tokens of %j', async (members) => {
    const scene = await signedIn(options);
    scene.app.config.providers = [...scene.app.config.providers, scene.provider.provider({ id: 'other' })];
    await replaceCookie(scene, members);
    for (const id of ['fake', 'other'])
      expect(await failure(tokensFor(scene).get(id)), id).toMatchObject({ code: 'no-account' });
    expect(await tokensFor(scene).list()).toEqual([]);
  });

  it('is not set again after it was removed during a refresh', async () => {
    const scene = await signedIn(options);
    const other = scene.app.browser.clone();
    scene.later(3601);
    scene.provider.misbehave({ token: { delay: 300, times: 1 } });
    const refreshed = failure(tokensFor(scene).get('fake'));
    await vi.waitFor(() => expect(scene.refreshes()).toHaveLength(1));
    const revoked = tokensFor(scene, 'request', other).revoke('fake');
    expect(await refreshed).toMatchObject({ code: 'no-account' });
    await revoked;
    expect(tokenCookies(scene.app.browser)).toEqual([]);
  });

  it('needs no refresh if it was removed while the metadata of the provider was loaded', async () => {
    const scene = await signedIn(options);
    const other = scene.app.browser.clone();
    scene.later(90_000);
    scene.provider.misbehave({ discovery: { delay: 300, times: 1 } });
    const requests = scene.provider.count('discovery');
    const refreshed = failure(tokensFor(scene).get('fake'));
    await vi.waitFor(() => expect(scene.provider.count('discovery')).toBe(requests + 1));
    scene.app.config.providers = [{ ...scene.provider.provider(), revocation: async () => undefined }];
    await tokensFor(scene, 'request', other).revoke('fake');
    expect(await refreshed).toMatchObject({ code: 'no-account' });
    expect(scene.refreshes()).toEqual([]);
  });

  it('can be removed by two requests at the same time', async () => {
    const scene = await signedIn(options);
    const calls = [scene.app.browser.clone(), scene.app.browser.clone()].map((browser) =>
      tokensFor(scene, 'request', browser).revoke('fake'),
    );
    expect((await Promise.all(calls)).flat()).not.toEqual([]);
    expect(await failure(tokensFor(scene).get('fake'))).toMatchObject({ code: 'no-account' });
  });
});

describe('the cookie of tokens, with an adapter', () => {
  it('does not count after the account has moved to another user', async () => {
    const scene = await signedIn(withAdapter);
    scene.adapter.getUserByAccount = async () => ({ id: 'eve', email: 'eve@evil.test', emailVerified: null });
    expect(await failure(tokensFor(scene).get('fake'))).toMatchObject({ code: 'no-account' });
  });
});
