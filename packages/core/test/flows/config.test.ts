import { describe, expect, it } from 'vitest';
import { allowInsecureIssuer, customFetch } from '../../src/symbols.ts';
import type { Adapter } from '../../src/types/adapter.ts';
import { oneDoor } from './doors.ts';
import { asked, fakeProvider, leadsTo, oauth, oidc, scene, startsSession } from './scene.ts';

const fake = fakeProvider();
const { endpoints } = fake;
const email = { id: 'email', name: 'Email', type: 'email' as const, sendVerificationRequest: () => undefined };

describe.each(oneDoor)('a configuration through $name', (door) => {
  it('is never written to, and may be deeply frozen', async () => {
    const deepFreeze = <T extends object>(value: T): T => {
      for (const key of Reflect.ownKeys(value)) {
        const member = (value as Record<PropertyKey, unknown>)[key];
        if (typeof member === 'object' && member !== null && key !== 'logger' && !Object.isFrozen(member))
          deepFreeze(member);
      }
      return Object.freeze(value);
    };
    const app = scene(door, {
      providers: [oidc(fake)],
      callbacks: {},
      session: {},
      pages: {},
      cookies: { state: { options: {} } },
    });
    deepFreeze(app.config);
    expect(startsSession(await app.signIn(fake))).toBe(true);
    expect(Object.keys(app.config)).not.toContain('basePath');
  });

  it('is independent of others in the process', async () => {
    const mail = scene(door, {
      providers: [email],
      adapter: {
        createVerificationToken: () => null,
        useVerificationToken: () => null,
        getUserByEmail: () => null,
      } as Adapter,
      session: { strategy: 'jwt' },
    });
    const plain = scene(door, { providers: [oidc(fake)], secret: 'another-secret-of-more-than-32-characters' });
    const secure = scene(door, { providers: [oidc(fake)], cookies: { sessionToken: { name: 'mine' } } });
    await mail.browser.get('/auth/signin');
    expect(startsSession(await plain.signIn(fake))).toBe(true);
    await secure.signIn(fake);
    expect(secure.browser.cookies.has('mine')).toBe(true);
    expect(plain.browser.cookies.has('mine')).toBe(false);
    expect([...mail.log.errors, ...plain.log.errors]).toEqual([]);
  });

  it('is read again after a change of a provider, callback, cookie or page', async () => {
    const app = scene(door, { providers: [oidc(fake)], callbacks: {}, cookies: {}, pages: {} });
    await app.signIn(fake);
    app.config.providers.push(oidc(fake, { id: 'late' }));
    expect(Object.keys((await app.browser.get('/auth/providers')).json() as object)).toEqual(['fake', 'late']);
    app.config.providers[1] = oidc(fake, { id: 'replaced' });
    expect(Object.keys((await app.browser.get('/auth/providers')).json() as object)).toEqual(['fake', 'replaced']);
    Object.assign(app.config.callbacks ?? {}, { session: () => ({ changed: true }) });
    expect(await app.session()).toEqual({ changed: true });
    Object.assign(app.config.pages ?? {}, { signIn: '/login' });
    expect((await app.browser.get('/auth/signin')).location).toMatch(/^\/login\?/);
    Object.assign(app.config.cookies ?? {}, { sessionToken: { name: 'renamed' } });
    expect(await app.session()).toBeNull();
  });

  it('is read again after a change inside a provider: a member, an option, a symbol', async () => {
    const other = fakeProvider();
    const provider = oidc(fake, { checks: ['none'], options: { clientId: 'first' } });
    const app = scene(door, { providers: [provider] });
    expect(asked(await app.begin()).client_id).toBe('first');
    Object.assign(provider.options ?? {}, { clientId: 'second' });
    expect(asked(await app.begin()).client_id).toBe('second');
    provider.authorization = { params: { scope: 'openid' } };
    expect(asked(await app.begin()).scope).toBe('openid');
    provider.options = { clientId: 'client' };
    expect(startsSession(await app.signIn(fake))).toBe(true);
    const before = fake.count();
    Object.assign(provider, { [customFetch]: other.fetch });
    expect(startsSession(await app.signIn(other))).toBe(true);
    expect(fake.count()).toBe(before);
    provider.clientSecret = 'wrong';
    expect(leadsTo(await app.signIn(other))).toBe('/auth/signin?error=OAuthCallbackError');
  });

  it('may allow an http issuer for a closed network', async () => {
    const http = fakeProvider({ issuer: 'http://idp.internal' });
    const app = scene(door, { providers: [oidc(http, { [allowInsecureIssuer]: true })] });
    expect(startsSession(await app.signIn(http))).toBe(true);
    const loopback = fakeProvider({ issuer: 'http://localhost:9999' });
    const local = scene(door, { providers: [oidc(loopback)] });
    expect(startsSession(await local.signIn(loopback))).toBe(true);
  });

  it('may have a factory in the list', async () => {
    const factory = (): ReturnType<typeof oidc> => oidc(fake);
    const app = scene(door, { providers: [factory] });
    expect(startsSession(await app.signIn(fake))).toBe(true);
  });

  it('lays options over a factory: lists are replaced, and a URL is kept under an object without one', async () => {
    const own = {
      ...oauth(fakeProvider({ oidc: false })),
      authorization: `${fake.endpoints.authorization}?kept=1`,
      checks: ['pkce' as const, 'state' as const],
    };
    const app = scene(door, {
      providers: [{ ...own, options: { checks: ['none'], authorization: { params: { scope: 'x' } } } }],
    });
    const started = await app.begin('plain');
    const sent = Object.fromEntries(started.redirect?.searchParams ?? []);
    expect(sent).toMatchObject({ kept: '1', scope: 'x' });
    expect(sent).not.toHaveProperty('code_challenge');
  });

  it.each([
    ['of endpoints', () => ({ authorization: new URL(endpoints.authorization), token: new URL(endpoints.token) })],
    [
      'in objects',
      () => ({
        authorization: { url: new URL(endpoints.authorization) },
        userinfo: { url: new URL(endpoints.userinfo) },
      }),
    ],
    ['of metadata', () => ({ wellKnown: new URL(endpoints.discovery) })],
    ['of keys', () => ({ jwks_endpoint: new URL(endpoints.jwks) })],
    ['of a redirect proxy', () => ({ redirectProxyUrl: new URL('http://localhost:3000/auth') })],
  ])('may have objects of the class `URL` as addresses %s', async (_, own) => {
    for (const options of [own(), { options: own() }]) {
      const app = scene(door, { providers: [oidc(fake, { ...options, idToken: false })] });
      expect(startsSession(await app.signIn(fake))).toBe(true);
      expect(app.log.errors).toEqual([]);
    }
  });

  it.each(['authorization', 'token', 'userinfo', 'wellKnown', 'jwks_endpoint'])(
    'has a problem if an object of the class `URL` as `%s` has a scheme that is not acceptable',
    async (name) => {
      const app = scene(door, { providers: [oidc(fake, { [name]: new URL('ftp://idp.example/x') })] });
      await app.browser.get('/auth/signin');
      expect(app.log.types()).toEqual(['InvalidEndpoints']);
      expect(app.log.errors[0]?.message).toContain(`\`${name}\` must be an https URL`);
    },
  );

  it('may replace an endpoint of a provider by `null`, and then has that of the metadata', async () => {
    const own = { ...oidc(fake), authorization: 'https://elsewhere.example/authorize', wellKnown: null, token: null };
    const options = { authorization: null, userinfo: null, jwks_endpoint: null, redirectProxyUrl: null };
    const app = scene(door, { providers: [{ ...own, options } as never] });
    expect(startsSession(await app.signIn(fake))).toBe(true);
    expect(app.log.errors).toEqual([]);
  });

  it('gives cookies its names and attributes, also when they are cleared', async () => {
    const app = scene(door, {
      providers: [oidc(fake)],
      cookies: {
        sessionToken: { name: 'sid', options: { sameSite: 'strict', path: '/' } },
        state: { name: 'st', options: { maxAge: 60 } },
      },
    });
    const started = await app.begin();
    expect(started.cookie('st')).toMatchObject({ maxAge: 60 });
    const page = await app.finish(await fake.authorize(started.location ?? ''));
    expect(page.cookie('sid')).toMatchObject({ sameSite: 'Strict' });
    expect(page.cookie('st')).toMatchObject({ maxAge: 0, value: '' });
    expect((await app.post('signout')).cookie('sid')).toMatchObject({ maxAge: 0, sameSite: 'Strict' });
  });
});
