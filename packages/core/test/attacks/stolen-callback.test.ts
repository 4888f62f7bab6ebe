import { type FakeProvider, memoryAdapter } from '@latchkey/testing';
import { describe, expect, it } from 'vitest';
import { customFetch } from '../../src/symbols.ts';
import { oneDoor } from '../flows/doors.ts';
import { expectRefused, fakeProvider, oauth, oidc, scene, startsSession } from '../flows/scene.ts';
import { site } from './site.ts';

const mallory = { user: { sub: 'mallory', email: 'mallory@example.com' } };

describe.each(oneDoor)("another visitor's callback, through $name", (door) => {
  it.each([['pkce'], ['state'], ['nonce']] as const)('is refused without a pending sign-in (%s)', async (check) => {
    const { fake, app } = site(door, { checks: [check] });
    const back = await fake.authorize((await app.begin()).location ?? '', mallory);
    const victim = app.visitor();
    expectRefused(app, await app.finish(back, victim), 'InvalidCheck', victim);
    expect(fake.count('token')).toBe(0);
  });

  it.each([['pkce'], ['state'], ['nonce']] as const)(
    'is refused beside another pending sign-in (%s), which stays valid',
    async (check) => {
      const { fake, app } = site(door, { checks: [check] });
      const stolen = await fake.authorize((await app.begin()).location ?? '', mallory);
      const victim = app.visitor();
      const own = await fake.authorize((await app.begin('fake', {}, victim)).location ?? '');
      expectRefused(app, await app.finish(stolen, victim), 'InvalidCheck', victim);
      expect(startsSession(await app.finish(own, victim))).toBe(true);
      expect(await app.session(victim)).toMatchObject({ user: { email: 'ada@example.com' } });
    },
  );

  it("with its code put into the victim's own callback is refused by the provider's PKCE or by the nonce", async () => {
    for (const checks of [['pkce'], ['nonce']] as const) {
      const { fake, app } = site(door, { checks: [...checks] });
      const stolen = new URL(await fake.authorize((await app.begin()).location ?? '', mallory));
      const victim = app.visitor();
      const own = new URL(await fake.authorize((await app.begin('fake', {}, victim)).location ?? ''));
      own.searchParams.set('code', stolen.searchParams.get('code') ?? '');
      expectRefused(app, await app.finish(own.href, victim), 'OAuthCallbackError', victim);
    }
  });

  it('replayed in its own browser changes nothing: the first session stays', async () => {
    const { fake, app } = site(door);
    const back = await fake.authorize((await app.begin()).location ?? '');
    await app.finish(back);
    const again = await app.finish(back);
    expect(again.location).toContain('error=InvalidCheck');
    expect(again.setCookies.filter(({ name }) => name.includes('session-token'))).toEqual([]);
    expect(await app.session()).toMatchObject({ user: { email: 'ada@example.com' } });
    expect(fake.count('token')).toBe(1);
  });

  it('replayed with copied cookies fails at the provider', async () => {
    const { fake, app } = site(door);
    const back = await fake.authorize((await app.begin()).location ?? '');
    const thief = app.browser.clone();
    await app.finish(back);
    expectRefused(app, await app.finish(back, thief), 'OAuthCallbackError', thief);
  });

  it('sent twice at once makes one session and no crash', async () => {
    const { fake, app } = site(door);
    const back = await fake.authorize((await app.begin()).location ?? '');
    const pages = await Promise.all([app.finish(back), app.finish(back)]);
    expect(pages.filter(startsSession)).toHaveLength(1);
    expect(await app.session()).not.toBeNull();
  });
});

/** The way to a server that has never heard of PKCE: no verifier gets there. */
function withoutVerifier(fake: FakeProvider): typeof fetch {
  return (input, init) => {
    if (typeof init?.body !== 'string' && !(init?.body instanceof URLSearchParams)) return fake.fetch(input, init);
    const body = new URLSearchParams(init.body);
    body.delete('code_verifier');
    return fake.fetch(input, { ...init, body });
  };
}

/** The same for the challenge. */
function withoutChallenge(address: string | undefined): string {
  const url = new URL(address ?? '');
  for (const name of ['code_challenge', 'code_challenge_method']) url.searchParams.delete(name);
  return url.href;
}

describe.each(oneDoor)('a provider that ignores PKCE, through $name', (door) => {
  it.each([
    ['does not tell', []],
    ['tells `plain` alone', ['plain']],
  ])('and %s: a code of another user is refused, because its ID token has another nonce', async (_, methods) => {
    const fake = fakeProvider();
    fake.overrides.discovery = (metadata) => ({ ...metadata, code_challenge_methods_supported: methods });
    const app = scene(door, { providers: [oidc(fake, { [customFetch]: withoutVerifier(fake) })] });
    const foreign = await fake.authorize(withoutChallenge((await app.begin()).location), mallory);
    const visitor = app.visitor();
    const own = new URL(await fake.authorize(withoutChallenge((await app.begin('fake', {}, visitor)).location)));
    own.searchParams.set('code', new URL(foreign).searchParams.get('code') ?? '');
    expectRefused(app, await app.finish(own.href, visitor), 'OAuthCallbackError', visitor);
    const { location } = await app.begin('fake', {}, visitor);
    expect(startsSession(await app.finish(await fake.authorize(withoutChallenge(location)), visitor))).toBe(true);
  });
});

describe.each(oneDoor)('a callback from which the state was cut, through $name', (door) => {
  /** A signed-in visitor with a pending sign-in at `second`, and Mallory's response from there without its state. */
  async function attacked(kind: 'oauth' | 'oidc', checks: ['pkce'] | ['none'] | []) {
    const fake = fakeProvider({ issParameter: false });
    const adapter = memoryAdapter();
    const own = { id: 'second', checks, [customFetch]: withoutVerifier(fake) };
    const { authorization } = fake.endpoints;
    const second = kind === 'oauth' ? oauth(fake, own) : oidc(fake, { ...own, authorization });
    const app = scene(door, { adapter, providers: [oauth(fake), second] });
    await app.signIn(fake, { id: 'plain' });
    await app.begin('second');
    const evil = await app.begin('second', {}, app.visitor());
    const back = new URL(await fake.authorize(withoutChallenge(evil.location), mallory));
    back.searchParams.delete('state');
    const ownerOf = () => adapter.getUserByAccount({ provider: 'second', providerAccountId: 'mallory' });
    return { app, back: back.href, ownerOf };
  }

  it.each(['oauth', 'oidc'] as const)(
    'is refused if the metadata does not say that PKCE is supported (%s)',
    async (kind) => {
      const { app, back, ownerOf } = await attacked(kind, ['pkce']);
      const page = await app.finish(back);
      expect(page.location).toContain('error=InvalidCheck');
      expect(startsSession(page)).toBe(false);
      expect(await ownerOf()).toBeNull();
      expect(await app.session()).toMatchObject({ user: { email: 'ada@example.com' } });
    },
  );

  it.each([[['none']], [[]]] as const)('is refused, even if the owner disables the checks: %j', async (checks) => {
    const { app, back, ownerOf } = await attacked('oauth', [...checks] as ['none'] | []);
    for (const browser of [app.browser, app.visitor()]) {
      const page = await app.finish(back, browser);
      expect(page.location).toContain('error=InvalidCheck');
      expect(startsSession(page)).toBe(false);
    }
    expect(await ownerOf()).toBeNull();
  });

  it('is refused if the provider supports PKCE, but the request does not use it', async () => {
    const fake = fakeProvider({ issParameter: false });
    const app = scene(door, { providers: [oidc(fake, { checks: [] })] });
    const back = new URL(await fake.authorize((await app.begin()).location ?? ''));
    back.searchParams.delete('state');
    expectRefused(app, await app.finish(back.href), 'InvalidCheck');
  });

  it('leaves the pending sign-in valid', async () => {
    const fake = fakeProvider({ issParameter: false });
    const app = scene(door, { providers: [oauth(fake, { checks: ['state', 'pkce'] })] });
    const back = await fake.authorize((await app.begin('plain')).location ?? '');
    expectRefused(app, await app.finish('/auth/callback/plain?code=x'), 'InvalidCheck');
    expect(startsSession(await app.finish(back))).toBe(true);
  });

  it('cannot be answered twice with copied cookies, not even with a new code', async () => {
    const { fake, app } = site(door, {}, { adapter: memoryAdapter() });
    const location = (await app.begin()).location ?? '';
    const back = await fake.authorize(location);
    const thief = app.browser.clone();
    expect(startsSession(await app.finish(back))).toBe(true);
    const again = new URL(await fake.authorize(location));
    again.searchParams.delete('state');
    expectRefused(app, await app.finish(again.href, thief), 'InvalidCheck', thief);
  });

  it.each([
    ['', 'pkce'],
    ['', 'nonce'],
    ['?error=access_denied', 'pkce'],
    ['?code=x', 'pkce'],
    ['?code=x', 'nonce'],
  ] as const)('that another site opens ends no pending sign-in: "%s" with %s', async (query, check) => {
    const { fake, app } = site(door, { checks: [check] }, { adapter: memoryAdapter() });
    const back = await fake.authorize((await app.begin()).location ?? '');
    expect(startsSession(await app.finish(`/auth/callback/fake${query}`))).toBe(false);
    expect(startsSession(await app.finish(back))).toBe(true);
  });
});
