import { accountsOf } from '@latchkey/core/account';
import type { AdapterAccount } from '@latchkey/core/adapters';
import { renewTokens } from '@latchkey/core/binding';
import { inspectConfig } from '@latchkey/core/inspection';
import Credentials from '@latchkey/core/providers/credentials';
import type { AuthConfig } from '@latchkey/core/types';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { settingsFor } from '../../src/config/settings.ts';
import { entryOfCookie, openEntry, sealEntry } from '../../src/tokens/entry.ts';
import {
  cookieCases,
  failure,
  makeScene,
  type SceneOptions,
  signedIn,
  tokenCookies,
  tokensFor,
  visitorOf,
  withAdapter,
  withoutAdapter,
} from './scene.ts';

afterEach(() => {
  vi.useRealTimers();
});

describe.each(cookieCases)('tokens in a cookie, %s', (_, options) => {
  it('are sealed, and out of reach of scripts', async () => {
    const scene = await signedIn(options);
    const [cookie, ...others] = tokenCookies(scene.app.browser);
    expect(others).toEqual([]);
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Lax', hostOnly: true });
    expect(Number(cookie?.expires), '400 days').toBe((Math.floor(Date.now() / 1000) + 400 * 86_400) * 1000);
    const { accessToken, idToken } = await tokensFor(scene).get('fake');
    expect(cookie?.value).not.toContain(accessToken);
    expect(idToken).toBeUndefined();
    expect(await tokensFor(scene).list()).toMatchObject([{ provider: 'fake', account: 'ada-1815', state: 'active' }]);
    expect(scene.vault.calls).toEqual([]);
  });

  it('are refreshed once for all requests that still have the old cookie', async () => {
    const scene = await signedIn(options);
    const before = tokenCookies(scene.app.browser);
    scene.later(3601);
    const [late, last, other] = [scene.app.browser.clone(), scene.app.browser.clone(), scene.app.browser.clone()];
    const many = await Promise.all(
      Array.from({ length: 20 }, (_, index) => tokensFor(scene, 'request', index ? undefined : other).get('fake')),
    );
    expect(new Set(many.map(({ accessToken }) => accessToken)).size).toBe(1);
    expect(tokenCookies(scene.app.browser)).not.toEqual(before);
    expect(tokenCookies(other)[0]?.value).toBe(tokenCookies(scene.app.browser)[0]?.value);
    scene.later(59);
    expect(await tokensFor(scene, 'request', late).get('fake')).toEqual(many[0]);
    expect(tokenCookies(late)[0]?.value).toBe(tokenCookies(scene.app.browser)[0]?.value);
    expect(scene.refreshes()).toHaveLength(1);
    scene.later(1);
    await failure(tokensFor(scene, 'request', last).get('fake'));
    expect(scene.refreshes(), 'the process remembers them for a minute').toHaveLength(2);
  });

  it('that another process has refreshed since are used', async () => {
    const scene = await signedIn(options);
    scene.later(3601);
    await tokensFor(scene).get('fake');
    const [cookie] = tokenCookies(scene.app.browser);
    const settings = settingsFor(scene.app.config);
    const sentEntry = await entryOfCookie(settings, cookie?.value ?? '');
    const sent = sentEntry && (await openEntry(settings, sentEntry));
    if (!cookie || !sent) throw new Error('the cookie does not open');
    const next = await sealEntry(settings, { ...sent.tokens, accessToken: 'of another' }, sent.entry.version);
    scene.app.browser.cookies.set(cookie.name, next.sealed);
    expect(await tokensFor(scene).get('fake')).toMatchObject({ accessToken: 'of another' });
  });

  it('are not refreshed where cookies cannot be set', async () => {
    const scene = await signedIn(options);
    const first = await tokensFor(scene, 'read-only').get('fake');
    scene.later(3590);
    expect(await tokensFor(scene, 'read-only').get('fake')).toEqual(first);
    scene.later(11);
    expect(await failure(tokensFor(scene, 'read-only').get('fake'))).toMatchObject({
      code: 'read-only',
      remedy: 'fix',
      provider: 'fake',
    });
    expect(scene.refreshes()).toEqual([]);
    const next = await tokensFor(scene).get('fake');
    expect(await tokensFor(scene, 'read-only').get('fake')).toEqual(next);
  });

  it('set no other cookies in the browser', async () => {
    const scene = await signedIn(options);
    const stranger = scene.app.visitor();
    expect(await failure(tokensFor(scene, 'request', stranger).get('fake'))).toMatchObject({ code: 'signed-out' });
    expect(stranger.cookies.all()).toEqual([]);
  });

  it('belong to their session', async () => {
    const scene = await signedIn(options);
    const eve = scene.app.visitor();
    await scene.app.signIn({ browser: eve, consent: { user: { sub: 'eve', email: 'eve@evil.test' } } });
    const [own] = tokenCookies(eve);
    for (const { name, value } of tokenCookies(scene.app.browser)) eve.cookies.set(name, value);
    expect(tokenCookies(eve)).not.toEqual([own]);
    expect(await failure(tokensFor(scene, 'request', eve).get('fake'))).toMatchObject({ code: 'no-account' });
    expect(await tokensFor(scene, 'request', eve).revoke()).toEqual([]);
    const again = scene.app.browser.clone();
    await scene.app.signIn({ browser: again });
    for (const { name, value } of tokenCookies(scene.app.browser)) again.cookies.set(name, value);
    expect(await failure(tokensFor(scene, 'request', again).get('fake'))).toMatchObject({ code: 'no-account' });
  });

  it('end with the session, and with a sign-in that brings none', async () => {
    const scene = await signedIn(options);
    const password = Credentials({ authorize: () => ({ id: 'eve' }) });
    scene.app.config.providers = [...scene.app.config.providers, password];
    const other = scene.app.browser.clone();
    await scene.app.post('callback/credentials', {}, other);
    expect(await scene.app.session(other)).not.toBeNull();
    expect(tokenCookies(other)).toEqual([]);
    expect(scene.app.log.types()).toEqual([]);
    const left = scene.app.browser.clone();
    for (const { name } of left.cookies.all()) if (name.includes('session-token')) left.cookies.delete(name);
    await scene.app.session(left);
    expect(tokenCookies(left)).toEqual([]);
    await scene.app.signOut();
    expect(tokenCookies(scene.app.browser)).toEqual([]);
  });

  it('are revoked, also for requests that still have the cookie', async () => {
    const revoked: string[] = [];
    const entry = { revocation: ({ kind }: { kind: string }) => void revoked.push(kind) };
    const scene = await signedIn({ ...options, entry });
    const copy = scene.app.browser.clone();
    expect(await failure(tokensFor(scene, 'read-only').revoke())).toMatchObject({
      type: 'CookiesNotWritable',
      message: expect.stringContaining('Call `revoke` in a handler or an action'),
    });
    expect(revoked).toEqual([]);
    expect(await tokensFor(scene).revoke('fake')).toMatchObject([{ account: 'ada-1815', result: 'revoked' }]);
    expect(revoked).toEqual(['refresh_token', 'access_token']);
    expect(tokenCookies(scene.app.browser)).toEqual([]);
    expect(await failure(tokensFor(scene, 'request', copy).get('fake'))).toMatchObject({ code: 'no-account' });
  });

  it('are revoked for a browser that has newer ones, too', async () => {
    const scene = await signedIn(options);
    const late = scene.app.browser.clone();
    scene.later(3601);
    await tokensFor(scene).get('fake');
    expect(await tokensFor(scene, 'request', late).revoke('fake')).toHaveLength(1);
    expect(await failure(tokensFor(scene).get('fake'))).toMatchObject({ code: 'no-account' });
  });

  it('stay if the next sign-in of the account grants fewer scopes', async () => {
    const scene = await signedIn(options);
    const before = await tokensFor(scene).get('fake');
    scene.provider.misbehave({ token: { json: { scope: 'openid' }, times: 1 } } as object);
    await scene.app.signIn();
    expect(await tokensFor(scene).get('fake')).toEqual(before);
  });

  it('do not follow a sign-in that starts no session', async () => {
    let isRefused = false;
    const callbacks: AuthConfig['callbacks'] = { jwt: ({ token }) => (isRefused ? null : token) };
    const scene = await signedIn({ ...options, config: { ...options.config, callbacks } });
    isRefused = true;
    await scene.app.signIn();
    expect(tokenCookies(scene.app.browser)).toEqual([]);
  });

  it('are revoked at a sign-out with `revokeOnSignOut`', async () => {
    const revoked: string[] = [];
    const entry = { revocation: ({ kind }: { kind: string }) => void revoked.push(kind) };
    const scene = await signedIn({ ...options, entry, tokens: { store: 'cookie', revokeOnSignOut: true } });
    await scene.app.signOut();
    expect([revoked.length, tokenCookies(scene.app.browser)]).toEqual([2, []]);
  });

  it('keep the refresh token if the next sign-in of the account brings none', async () => {
    const scene = await signedIn(options);
    const { accessToken } = await tokensFor(scene).get('fake');
    scene.provider.misbehave({ token: { json: { refresh_token: undefined }, times: 1 } } as object);
    await scene.app.signIn();
    scene.provider.behave();
    expect((await tokensFor(scene).get('fake')).accessToken).not.toBe(accessToken);
    scene.later(3601);
    expect(await tokensFor(scene).get('fake')).toMatchObject({ accessToken: expect.any(String) });
    expect(scene.refreshes()).toHaveLength(1);
  });
});

describe('a sign-in without a refresh token', () => {
  const withoutRefreshToken = { token: { json: { refresh_token: undefined } } };
  const eve = { user: { sub: 'eve', email: 'eve@evil.test' } };
  const ada = { user: { sub: 'ada-1815', email: 'ada@example.com' } };

  it.each([
    ['another account', 'fake', eve, 'no-refresh-token'],
    ['an account with the same id at another provider', 'other', ada, 'no-refresh-token'],
    ['the same account', 'fake', ada, undefined],
  ])('keeps the one in the cookie only if it belongs to the account: %s', async (_, id, consent, code) => {
    const scene = await signedIn(withoutAdapter);
    scene.app.config.providers = [...scene.app.config.providers, scene.provider.provider({ id: 'other' })];
    scene.provider.misbehave(withoutRefreshToken);
    await scene.app.signIn({ id, consent });
    scene.provider.behave();
    scene.later(3601);
    expect(await failure(tokensFor(scene).get(id))).toEqual(code && expect.objectContaining({ code }));
  });
});

describe('the cookie of tokens', () => {
  it('is in parts if it is large, and is not set above 6,144 characters', async () => {
    let length = 3500;
    const entry = { account: (tokens: object) => ({ ...tokens, access_token: 'x'.repeat(length) }) };
    const scene = await signedIn({ ...withoutAdapter, entry });
    expect(tokenCookies(scene.app.browser).map(({ name }) => name)).toEqual(['authjs.tokens.0', 'authjs.tokens.1']);
    expect(await tokensFor(scene).get('fake')).toMatchObject({ accessToken: 'x'.repeat(3500) });
    length = 5000;
    await scene.app.signIn();
    expect(await scene.app.session()).not.toBeNull();
    expect(tokenCookies(scene.app.browser)).toEqual([]);
    expect(scene.app.log.warnings).toMatchObject([['token-cookie-size', expect.stringContaining('6144')]]);
    expect(await failure(tokensFor(scene).get('fake'))).toMatchObject({ code: 'no-account', remedy: 'sign-in' });
  });

  it('that can no longer be set is set by the next request', async () => {
    const scene = await signedIn(withoutAdapter);
    const before = tokenCookies(scene.app.browser);
    scene.later(3601);
    const { accessToken } = await tokensFor(scene, 'late').get('fake');
    expect(scene.app.log.warnings).toMatchObject([['token-cookie-late', 'the head was sent']]);
    expect(tokenCookies(scene.app.browser)).toEqual(before);
    await renewTokens(visitorOf(scene));
    expect(tokenCookies(scene.app.browser)).not.toEqual(before);
    expect((await tokensFor(scene, 'read-only').get('fake')).accessToken).toBe(accessToken);
    expect(scene.refreshes()).toHaveLength(1);
  });

  it('does not open as an entry of a vault, nor an entry as the cookie', async () => {
    const scene = await signedIn(withoutAdapter);
    const vaulted = await signedIn({ withoutAdapter: true });
    const [cookie] = tokenCookies(scene.app.browser);
    const row = [...vaulted.vault.rows.values()][0];
    if (!cookie || !row) throw new Error('nothing was stored');
    scene.app.browser.cookies.set(cookie.name, row.entry.sealed);
    expect(await failure(tokensFor(scene).get('fake'))).toMatchObject({ code: 'no-account' });
    row.entry = { ...row.entry, sealed: cookie.value };
    expect(await failure(vaulted.jobs().get('fake', { account: 'ada-1815' }))).toMatchObject({ code: 'unreadable' });
  });

  it('does not open if it was changed', async () => {
    const scene = await signedIn(withoutAdapter);
    const [cookie] = tokenCookies(scene.app.browser);
    scene.app.browser.cookies.set(String(cookie?.name), `${cookie?.value.slice(0, -2)}xx`);
    expect(await failure(tokensFor(scene).get('fake'))).toMatchObject({ code: 'no-account' });
  });
});

describe('an account that is removed', () => {
  const account = { without: ['mails'], hasPassword: () => true } as const;
  const options = (entry: object): SceneOptions => ({
    ...withAdapter,
    entry,
    config: { session: { strategy: 'jwt' }, account },
  });

  it.each(['unlink', 'delete'] as const)('loses its tokens in all browsers: %s', async (change) => {
    const revoked: string[] = [];
    const scene = makeScene(options({ revocation: ({ token }: { token: string }) => void revoked.push(token) }));
    scene.app.config.providers = [...scene.app.config.providers, Credentials({ authorize: () => null })];
    const phone = scene.app.visitor();
    await scene.app.signIn({ browser: phone });
    await scene.app.signIn();
    const { accessToken } = await tokensFor(scene).get('fake');
    const list = (await scene.app.browser.get('/auth/account', { headers: { accept: 'application/json' } })).json();
    const [way] = (list as { ways: { id: string }[] }).ways;
    await scene.app.post(`account/${change}`, change === 'unlink' ? { id: way?.id } : {});
    expect(scene.adapter.dump().accounts).toEqual([]);
    expect(revoked).toContain(accessToken);
    expect(tokenCookies(scene.app.browser)).toEqual([]);
    expect(await failure(tokensFor(scene, 'request', phone).get('fake'))).toMatchObject({ remedy: 'sign-in' });
    const named = tokensFor(scene, 'request', phone).get('fake', { account: 'ada-1815' });
    expect(await failure(named)).toMatchObject({ remedy: 'sign-in' });
    scene.later(3601);
    await renewTokens(visitorOf(scene, 'request', phone));
    expect([scene.refreshes(), scene.app.log.types()]).toEqual([[], []]);
  });

  it('can be removed by a job, which reaches no cookie', async () => {
    const scene = await signedIn(options({}));
    const { providers } = scene.app.config;
    const config = { ...scene.app.config, providers: [...providers, Credentials({ authorize: () => null })] };
    await accountsOf(config, {}).delete(String(scene.userId));
    expect(scene.adapter.dump().users).toEqual([]);
  });

  it('has no newer tokens in its row: they may be those of another session', async () => {
    const scene = await signedIn(options({}));
    scene.later(3601);
    const [row] = scene.adapter.dump().accounts;
    const expires_at = Math.floor(Date.now() / 1000) + 3600;
    await scene.adapter.updateAccount?.({ ...row, access_token: 'of another session', expires_at } as AdapterAccount);
    expect((await tokensFor(scene).get('fake')).accessToken).not.toBe('of another session');
    expect(scene.refreshes()).toHaveLength(1);
    expect(scene.adapter.dump().accounts).toMatchObject([{ access_token: 'of another session' }]);
  });

  it('cannot be read while the store fails', async () => {
    const scene = await signedIn(options({}));
    scene.adapter.fail('getUserByAccount');
    expect(await failure(tokensFor(scene).get('fake'))).toMatchObject({
      code: 'store-unavailable',
      remedy: 'retry',
      message: expect.stringContaining('the account of the session could not be read'),
    });
    expect(scene.app.log.errors).toMatchObject([{ code: 'store-unavailable', provider: 'fake' }]);
  });
});

describe("the option `tokens.store: 'cookie'`", () => {
  it('has no tokens for jobs', async () => {
    const scene = await signedIn(withoutAdapter);
    expect(await failure(scene.jobs().get('fake', { account: 'ada-1815' }))).toMatchObject({
      message: expect.stringContaining('Use a token vault for jobs'),
    });
  });

  it.each([
    ['tokens.store', { session: { strategy: 'database' } }, {}, "needs `session.strategy: 'jwt'`"],
    ['tokens.store', {}, {}, 'Use a token vault for database sessions'],
    ['tokens.kms', { session: { strategy: 'jwt' } }, { kms: { wrap: () => '', unwrap: () => '' } }, 'a token vault'],
    ['tokens.accountColumns', { session: { strategy: 'jwt' } }, { accountColumns: 'clear' }, 'a token vault'],
  ] as const)('reports a problem of %s: %j %j', async (option, config, tokens, text) => {
    const scene = makeScene({ tokens: { store: 'cookie', ...tokens } as object, config: config as object });
    const { problems } = inspectConfig(scene.app.config, {}, { origin: 'https://app.test', basePath: '/auth' });
    const texts = problems.map(({ error }) => error.message).filter((message) => message.includes(option));
    expect(texts).toEqual([expect.stringContaining(text)]);
  });
});
