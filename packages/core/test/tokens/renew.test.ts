import { renewTokens } from '@latchkey/core/binding';
import Credentials from '@latchkey/core/providers/credentials';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { cookieCases, failure, signedIn, tokenCookies, tokensFor, visitorOf, withoutAdapter } from './scene.ts';

afterEach(() => {
  vi.useRealTimers();
});

describe.each(cookieCases)('tokens in a cookie, %s', (_, options) => {
  it('are refreshed before a page is rendered, only if that is due', async () => {
    const scene = await signedIn(options);
    const before = tokenCookies(scene.app.browser);
    const calls = scene.adapter.calls.length;
    await renewTokens(visitorOf(scene));
    expect(tokenCookies(scene.app.browser)).toEqual(before);
    expect(scene.adapter.calls, 'the session is not read').toHaveLength(calls);
    scene.later(3550);
    await renewTokens(visitorOf(scene));
    expect(scene.refreshes()).toHaveLength(1);
    expect(await tokensFor(scene, 'read-only').get('fake')).toMatchObject({ accessToken: expect.any(String) });
    scene.later(3601);
    scene.provider.misbehave({ token: { status: 500 } } as object);
    await renewTokens(visitorOf(scene));
    expect(await failure(tokensFor(scene, 'read-only').get('fake'))).toMatchObject({ code: 'provider-unavailable' });
    expect(scene.app.log.types()).toEqual(['TokensUnavailable']);
  });

  it('need no refresh for a visitor without any', async () => {
    const scene = await signedIn(options);
    await renewTokens(visitorOf(scene, 'request', scene.app.visitor()));
    expect([scene.refreshes(), scene.app.log.types()]).toEqual([[], []]);
  });

  it('are not refreshed before a page is rendered for a visitor whose session has ended', async () => {
    const scene = await signedIn(options);
    scene.later(3601);
    const { cookies } = scene.app.browser;
    for (const { name } of cookies.all()) if (name.includes('session-token')) cookies.delete(name);
    await renewTokens(visitorOf(scene));
    expect([scene.refreshes(), scene.app.log.types()]).toEqual([[], []]);
  });

  it('are not refreshed before a page is rendered if their provider is not configured any more', async () => {
    const scene = await signedIn(options);
    scene.later(3601);
    scene.app.config.providers = [Credentials({ authorize: () => null })];
    await renewTokens(visitorOf(scene));
    expect([scene.refreshes(), scene.app.log.types()]).toEqual([[], ['InvalidProvider']]);
  });
});

describe('with a vault', () => {
  it('nothing is refreshed before a page is rendered', async () => {
    const scene = await signedIn({});
    scene.later(3601);
    const calls = scene.vault.calls.length;
    await renewTokens(visitorOf(scene));
    expect(scene.vault.calls).toHaveLength(calls);
  });
});

describe('renewTokens', () => {
  it('does nothing without the option `tokens`', async () => {
    const scene = await signedIn({ config: { tokens: undefined } });
    await renewTokens(visitorOf(scene));
    expect(scene.app.log.types()).toEqual([]);
  });

  it('leaves a problem of the configuration to the page', async () => {
    const scene = await signedIn(withoutAdapter);
    scene.later(3601);
    scene.app.config.tokens = { store: 'cookie', minTtl: -1 };
    await renewTokens(visitorOf(scene));
    const once = scene.app.log.types();
    await renewTokens(visitorOf(scene));
    expect([once.length, scene.app.log.types(), scene.refreshes()]).toEqual([1, once, []]);
  });

  it('reports an unexpected error in the log, because the page must be rendered', async () => {
    const scene = await signedIn(withoutAdapter);
    const { configured, host } = visitorOf(scene);
    const headers = new Headers();
    vi.spyOn(headers, 'get').mockImplementation(() => {
      throw new Error('no request');
    });
    await renewTokens({ configured, host: { ...host, headers } });
    expect(scene.app.log.errors).toMatchObject([{ message: 'no request' }]);
  });
});
