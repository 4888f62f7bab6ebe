import { signIn } from '@latchkey/core/binding';
import { describe, expect, it, vi } from 'vitest';
import { AccessDenied, CredentialsSignin } from '../../src/errors.ts';
import Credentials from '../../src/providers/credentials.ts';
import type { Provider } from '../../src/providers/index.ts';
import { customFetch } from '../../src/symbols.ts';
import { mailStore } from '../flows/email-scene.ts';
import { fakeProvider, oidc } from '../flows/scene.ts';
import { credentials, destination, form, names, origin, startsSession, storeWithAda, visitor } from './visitor.ts';

const fake = fakeProvider();

describe('signIn at an OAuth provider', () => {
  const app = () => visitor({ providers: [oidc(fake), credentials] });

  it('goes to the provider, and the callback starts a session', async () => {
    const ada = app();
    const to = new URL(await destination(signIn(ada.configured, ada.host(), 'fake', { redirectTo: '/in' })));
    expect(to.origin + to.pathname).toBe(fake.endpoints.authorization);
    expect(to.searchParams.get('redirect_uri')).toBe(`${origin}/auth/callback/fake`);
    expect(names(ada.set)).toContain('authjs.pkce.code_verifier');
    expect(startsSession(ada.set)).toBe(false);

    const back = await ada.open(await fake.authorize(to.href));
    expect(back.headers.get('location')).toBe(`${origin}/in`);
    expect(await ada.session()).toMatchObject({ user: { email: 'ada@example.com' } });
  });

  it.each([
    ['text', 'login_hint=ada&theme=dark'],
    [
      'a list',
      [
        ['login_hint', 'ada'],
        ['theme', 'dark'],
      ] as [string, string][],
    ],
    ['an object', { login_hint: 'ada', theme: 'dark' }],
    ['search parameters', new URLSearchParams({ login_hint: 'ada', theme: 'dark' })],
  ])('passes parameters on that are given as %s', async (_form, params) => {
    const { configured, host } = app();
    const { searchParams } = new URL(await destination(signIn(configured, host(), 'fake', {}, params)));
    expect([searchParams.get('login_hint'), searchParams.get('theme')]).toEqual(['ada', 'dark']);
  });

  it('lets no parameter take the place of one that protects the flow', async () => {
    const hostile = {
      client_id: 'evil',
      redirect_uri: 'https://evil.test/',
      response_type: 'token',
      response_mode: 'web_message',
      request: 'evil',
      request_uri: 'https://evil.test/',
      state: 'evil',
      nonce: 'evil',
      code_challenge: 'evil',
      code_challenge_method: 'plain',
      callbackUrl: 'https://evil.test/',
    };
    const ada = visitor({ providers: [oidc(fake, { checks: ['pkce', 'state', 'nonce'] })] });
    const to = await destination(signIn(ada.configured, ada.host(), 'fake', { redirectTo: '/in' }, hostile));
    expect(to).not.toMatch(/evil|web_message|=token|=plain/);
    expect((await ada.open(await fake.authorize(to))).headers.get('location')).toBe(`${origin}/in`);
  });
});

describe('signIn with credentials', () => {
  it('starts the session and redirects', async () => {
    const ada = visitor();
    const to = signIn(ada.configured, ada.host(), 'credentials', { password: 'password', redirectTo: '/in?x=1' });
    expect(await destination(to)).toBe(`${origin}/in?x=1`);
    expect(startsSession(ada.set)).toBe(true);
    expect(names(ada.set)).not.toContain('authjs.csrf-token');
    expect(await ada.session()).toMatchObject({ user: { email: 'ada@example.com' } });
  });

  it('passes each field as text, with the resolved callback URL', async () => {
    const authorize = vi.fn((_fields: object, _request: Request) => null);
    const ada = visitor({ providers: [Credentials({ authorize })] });
    const options = { name: 'Ada', code: 7, remember: true, missing: undefined, nothing: null };
    await expect(signIn(ada.configured, ada.host(), 'credentials', options)).rejects.toThrow(CredentialsSignin);
    const [fields, request] = authorize.mock.calls[0] ?? [];
    expect(fields).toEqual({ name: 'Ada', code: '7', remember: 'true', callbackUrl: '/' });
    expect(request?.headers.get('content-type')).toBe('application/json');
    expect(await request?.json()).toEqual(fields);
  });

  it('replaces the session that the browser had', async () => {
    const store = storeWithAda();
    const ada = visitor({ adapter: store.adapter });
    for (let times = 0; times < 2; times++)
      await signIn(ada.configured, ada.host(), 'credentials', { password: 'password', redirect: false });
    expect(store.sessions.size).toBe(1);
    expect(store.sessions.has(ada.jar.get('authjs.session-token') ?? '')).toBe(true);
  });

  it('throws what `authorize` throws, with the code of the application', async () => {
    class TooOften extends CredentialsSignin {
      override code = 'too-often';
    }
    const authorize = (): never => {
      throw new TooOften();
    };
    const ada = visitor({ providers: [Credentials({ authorize })] });
    await expect(signIn(ada.configured, ada.host(), 'credentials')).rejects.toMatchObject({
      name: 'TooOften',
      type: 'CredentialsSignin',
      code: 'too-often',
    });
    expect([ada.set, ada.log.types()]).toEqual([[], ['CredentialsSignin']]);
  });

  it('throws AccessDenied, or goes to the address of the `signIn` callback', async () => {
    const refused = visitor({ callbacks: { signIn: () => false } });
    await expect(signIn(refused.configured, refused.host(), 'credentials', right)).rejects.toThrow(AccessDenied);
    const sent = visitor({ callbacks: { signIn: () => '/welcome-back-later' } });
    expect(await destination(signIn(sent.configured, sent.host(), 'credentials', right))).toBe(
      `${origin}/welcome-back-later`,
    );
    expect([startsSession(refused.set), startsSession(sent.set)]).toEqual([false, false]);
  });

  it('throws if the page has asked for addresses instead of redirects', async () => {
    const ada = visitor();
    const headers = new Headers({ 'x-auth-return-redirect': '1' });
    await expect(signIn(ada.configured, ada.host({ headers }), 'credentials')).rejects.toThrow(CredentialsSignin);
  });
});

const right = { password: 'password' };

describe('signIn by email', () => {
  it('sends the link and goes to the verify-request page', async () => {
    const sent: { url: string; identifier: string }[] = [];
    const mail = {
      id: 'mail',
      name: 'Mail',
      type: 'email' as const,
      sendVerificationRequest: (params: (typeof sent)[0]) => void sent.push(params),
    };
    const ada = visitor({ providers: [mail], adapter: mailStore().adapter });
    const fields = form({ email: 'ada@example.com', redirectTo: '/in' });
    expect(await destination(signIn(ada.configured, ada.host(), 'mail', fields))).toBe(
      `${origin}/auth/verify-request?provider=mail&type=email`,
    );
    expect([sent.length, sent[0]?.identifier]).toEqual([1, 'ada@example.com']);
    expect((await ada.open(sent[0]?.url ?? '')).headers.get('location')).toBe(`${origin}/in`);
    expect(await ada.session()).toMatchObject({ user: { email: 'ada@example.com' } });
  });
});

describe('signIn that cannot be started', () => {
  const mailer = { id: 'mail', name: 'Mail', type: 'email' as const };
  const down = {
    ...mailer,
    sendVerificationRequest: () => Promise.reject(new Error('connect ECONNREFUSED')),
  };
  const unreachable = {
    id: 'fake',
    name: 'Fake',
    type: 'oidc' as const,
    issuer: 'https://provider.example',
    clientId: 'client',
    clientSecret: 'secret',
    [customFetch]: () => Promise.reject(new TypeError('fetch failed')),
  };
  const cases: [title: string, provider: Provider & { id: string }, typed: string, error: string, logged: string][] = [
    ['the mail server is down', down, 'ada@example.com', 'EmailSignin', 'EmailSignInError'],
    ['the address is not valid', { ...down, sendVerificationRequest() {} }, 'ada', 'EmailSignin', 'EmailSignInError'],
    ['the provider is down', unreachable, '', 'OAuthSignin', 'OAuthSignInError'],
  ];

  it.each(cases)('goes to the sign-in page with the error: %s', async (_title, provider, email, error, logged) => {
    const { id } = provider;
    const ada = visitor({ providers: [provider], adapter: mailStore().adapter });
    const to = signIn(ada.configured, ada.host(), id, { email, redirectTo: '/in' });
    expect(await destination(to)).toBe(`${origin}/auth/signin?error=${error}`);
    expect(ada.log.errors.map(({ name }) => name)).toEqual([logged]);
    expect(startsSession(ada.set)).toBe(false);
  });

  it.each(cases)('returns that address with `redirect: false`: %s', async (_title, provider, email, error) => {
    const { id } = provider;
    const pages = { signIn: '/login?from=form' };
    const ada = visitor({ providers: [provider], adapter: mailStore().adapter, pages });
    const to = await signIn(ada.configured, ada.host(), id, { email, redirect: false });
    expect(to).toBe(`${origin}/login?from=form&error=${error}`);
  });

  it('throws the error that `sendVerificationRequest` throws, if it is an AuthError', async () => {
    const refusing = {
      ...mailer,
      sendVerificationRequest: () => Promise.reject(new AccessDenied('not on the list')),
    };
    const ada = visitor({ providers: [refusing], adapter: mailStore().adapter });
    const to = signIn(ada.configured, ada.host(), 'mail', { email: 'ada@example.com' });
    await expect(to).rejects.toThrow(AccessDenied);
  });
});

describe('signIn without a known provider', () => {
  it.each<[string, unknown]>([
    ['no', undefined],
    ['an unknown', 'elsewhere'],
    ['an empty', ''],
    ['a form instead of a', form({ email: 'ada@example.com' })],
    ['an inherited', 'constructor'],
  ])('goes to the sign-in page: %s provider', async (_which, provider) => {
    const ada = visitor();
    const to = signIn(ada.configured, ada.readOnly(), provider as string, { redirectTo: '/in?x=1' });
    expect(await destination(to)).toBe(`${origin}/auth/signin?callbackUrl=%2Fin%3Fx%3D1`);
    expect(ada.set).toEqual([]);
  });

  it('goes to the sign-in page below the base path', async () => {
    const ada = visitor({ basePath: '/configured' });
    const to = (own: object) => signIn(ada.configured, ada.host(own), undefined, { redirect: false });
    expect(await to({})).toBe(`${origin}/configured/signin?callbackUrl=%2F`);
    expect(await to({ basePath: '/api/auth' })).toBe(`${origin}/api/auth/signin?callbackUrl=%2F`);
  });
});
