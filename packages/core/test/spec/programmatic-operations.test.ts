import { describe, expect, expectTypeOf, it } from 'vitest';
import { Auth } from '../../src/auth.ts';
import { readSession } from '../../src/binding.ts';
import { setEnvDefaults } from '../../src/config/env.ts';
import { createActionURL, isAuthAction } from '../../src/entry/route.ts';
import { MissingSecret } from '../../src/errors.ts';
import { decode, encode, type GetTokenParams, getToken, type JWT } from '../../src/jwt.ts';
import { raw } from '../../src/symbols.ts';
import type { AuthAction, AuthConfig, ResponseInternal } from '../../src/types.ts';
import { asked, SECRET } from '../flows/scene.ts';
import { oidcSite, SESSION, site } from './site.ts';

const actions = ['callback', 'csrf', 'error', 'providers', 'session', 'signin', 'signout', 'verify-request'];

describe('helpers', () => {
  it('isAuthAction(string) | tells whether a string is an action name', () => {
    expectTypeOf(isAuthAction).guards.toEqualTypeOf<AuthAction>();
    expect([...actions, 'webauthn-options'].every(isAuthAction)).toBe(true);
    expect(['', 'Signin', 'signin/fake', 'toString'].some(isAuthAction)).toBe(false);
  });

  it('createActionURL(action, protocol, headers, envObject, basePath?) | the URL of an action', () => {
    const headers = new Headers({ host: 'app.test:8080' });
    expect(createActionURL('signin', 'http', headers, {}, '/auth').href).toBe('http://app.test:8080/auth/signin');
    expect(createActionURL('session', 'https:', headers, {}).href).toBe('https://app.test:8080/session');
    const env = { AUTH_URL: 'https://site.example/login' };
    expect(createActionURL('signout', 'http', headers, env).href).toBe('https://site.example/login/signout');
  });

  // The observed call shape beside the specified one (contract 22).
  it('createActionURL(action, protocol, headers, envObject, { basePath, logger })', () => {
    const headers = new Headers({ host: 'app.test' });
    const config = { basePath: '/api/auth' };
    expect(createActionURL('csrf', 'https', headers, {}, config).href).toBe('https://app.test/api/auth/csrf');
  });
});

describe('programmatic operations of the core', () => {
  it('Auth(request, config) | Request + config -> Promise of Response (or internal response with `raw`)', async () => {
    const request = new Request('http://localhost:3000/auth/session');
    const answer = Auth(request, site().config as Omit<AuthConfig, 'raw'>);
    expectTypeOf(answer).toEqualTypeOf<Promise<Response>>();
    expect(await answer).toBeInstanceOf(Response);
    const internal = Auth(request, { ...site().config, raw });
    expectTypeOf(internal).toEqualTypeOf<Promise<ResponseInternal>>();
    expect(await internal).toMatchObject({ body: null });
  });

  it('setEnvDefaults(envObject, config) | fills environment-derived defaults into the config', () => {
    const config: AuthConfig = { providers: [] };
    setEnvDefaults({ AUTH_SECRET: SECRET }, config);
    expect(config.secret).toEqual([SECRET]);
  });

  it('signIn: authorizationParams | go to the authorization address, by the query of the POST', async () => {
    const app = oidcSite();
    expect(asked(await app.post('signin/fake?prompt=consent&login_hint=ada')).prompt).toBe('consent');
    expect(asked(await app.post('signin/fake?redirect_uri=https://evil.test')).redirect_uri).not.toMatch('evil');
  });

  it('signIn, signOut: `redirect` false | they resolve with an address: `X-Auth-Return-Redirect`', async () => {
    const app = oidcSite();
    const { csrfToken } = (await app.browser.get('/auth/csrf')).json<{ csrfToken: string }>();
    const headers = { 'x-auth-return-redirect': '1' };
    const started = await app.browser.post('/auth/signin/fake', { csrfToken }, { headers });
    expect(started.json()).toEqual({ url: expect.stringMatching(app.fake.endpoints.authorization) });
    const out = await app.browser.post('/auth/signout', { csrfToken, callbackUrl: '/bye' }, { headers });
    expect(out.json()).toEqual({ url: 'http://localhost:3000/bye' });
  });
});

// What Express's `getSession` is made of; it has tests of its own, see `elsewhere` in elsewhere.ts.
describe('getSession(req, config) (server-framework binding)', () => {
  it('-> Promise of Session or null', async () => {
    const app = oidcSite();
    const configured = { config: app.config, call: {} };
    const origin = 'http://localhost:3000';
    expect(await readSession(configured, { origin, cookie: undefined })).toBeNull();
    await app.enter();
    const cookie = `${SESSION}=${app.browser.cookies.get(SESSION)?.value}`;
    const session = await readSession(configured, { origin, cookie });
    expect(session).toMatchObject({ user: { email: 'ada@example.com' }, expires: expect.any(String) });
  });
});

describe('getToken({req, secret, salt, cookieName?, secureCookie?, raw?, decode?, logger?})', () => {
  const sealed = (salt = SESSION): Promise<string> => encode({ token: { sub: 'u1' }, secret: SECRET, salt });
  const get = async (headers: HeadersInit, params: Partial<GetTokenParams> = {}): Promise<JWT | null> =>
    getToken({ req: new Request('http://localhost', { headers }), secret: SECRET, ...params });

  it('finds the token in cookies', async () => {
    expect(await get({ cookie: `${SESSION}=${await sealed()}` })).toMatchObject({ sub: 'u1' });
  });

  it('or in the Authorization header', async () => {
    expect(await get({ authorization: `Bearer ${await sealed()}` })).toMatchObject({ sub: 'u1' });
  });

  it('req | a Request or an object with `headers`', async () => {
    const cookie = `${SESSION}=${await sealed()}`;
    for (const headers of [{ cookie }, new Headers({ cookie })])
      expect(await getToken({ req: { headers }, secret: SECRET })).toMatchObject({ sub: 'u1' });
  });

  it('cookieName?, salt? | another cookie', async () => {
    expect(await get({ cookie: `mine=${await sealed('mine')}` }, { cookieName: 'mine' })).toMatchObject({ sub: 'u1' });
    const salted = { cookie: `mine=${await sealed('salt')}` };
    expect(await get(salted, { cookieName: 'mine', salt: 'salt' })).toMatchObject({ sub: 'u1' });
  });

  it('secureCookie? | a secure-prefixed cookie name; otherwise an unprefixed name', async () => {
    const name = `__Secure-${SESSION}`;
    const cookie = `${name}=${await sealed(name)}`;
    expect(await get({ cookie }, { secureCookie: true })).toMatchObject({ sub: 'u1' });
    expect(await get({ cookie })).toBeNull();
  });

  it('raw? | the raw string when true', async () => {
    const text = await sealed();
    const req = new Request('http://localhost', { headers: { cookie: `${SESSION}=${text}` } });
    expect(await getToken({ req, raw: true })).toBe(text);
  });

  it('decode? | used instead of the own one', async () => {
    const cookie = { cookie: `${SESSION}=text` };
    expect(await get(cookie, { decode: ({ token }) => ({ sub: `read ${token}` }) })).toEqual({ sub: 'read text' });
  });

  it('null where there is none, or it is not valid', async () => {
    expect(await get({})).toBeNull();
    expect(await get({ cookie: `${SESSION}=garbage` })).toBeNull();
  });

  it('needs a secret', async () => {
    await expect(get({ cookie: `${SESSION}=x` }, { secret: '' })).rejects.toBeInstanceOf(MissingSecret);
  });
});

describe('encode(params) / decode(params)', () => {
  it('issue / read a token', async () => {
    const token = await encode({ token: { sub: 'u1' }, secret: SECRET, salt: 'x' });
    expect(await decode({ token, secret: SECRET, salt: 'x' })).toMatchObject({ sub: 'u1' });
  });

  it('a token is read with its own salt only', async () => {
    const token = await encode({ token: { sub: 'u1' }, secret: SECRET, salt: 'x' });
    await expect(decode({ token, secret: SECRET, salt: 'y' })).rejects.toThrow('the token is not valid');
  });
});
