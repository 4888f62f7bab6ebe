import { signIn } from '@latchkey/core/binding';
import { describe, expect, it, vi } from 'vitest';
import { AccessDenied, CredentialsSignin } from '../../src/errors.ts';
import Credentials from '../../src/providers/credentials.ts';
import { mailStore } from '../flows/email-scene.ts';
import { fakeProvider, oidc } from '../flows/scene.ts';
import { memoryStore } from '../flows/store.ts';
import { credentials, destination, form, names, origin, startsSession, visitor } from './visitor.ts';

const fake = fakeProvider();

describe('signIn at an OAuth provider', () => {
  const app = () => visitor({ providers: [oidc(fake), credentials] });

  it('leaves for the provider, and the way back ends in a session', async () => {
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
    ['text', 'login_hint=ada&max_age=60'],
    [
      'a list',
      [
        ['login_hint', 'ada'],
        ['max_age', '60'],
      ] as [string, string][],
    ],
    ['an object', { login_hint: 'ada', max_age: '60' }],
    ['search parameters', new URLSearchParams({ login_hint: 'ada', max_age: '60' })],
  ])('hands on parameters given as %s', async (_form, params) => {
    const { configured, host } = app();
    const { searchParams } = new URL(await destination(signIn(configured, host(), 'fake', {}, params)));
    expect([searchParams.get('login_hint'), searchParams.get('max_age')]).toEqual(['ada', '60']);
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
  it('starts the session and goes on', async () => {
    const ada = visitor();
    const to = signIn(ada.configured, ada.host(), 'credentials', { password: 'password', redirectTo: '/in?x=1' });
    expect(await destination(to)).toBe(`${origin}/in?x=1`);
    expect(startsSession(ada.set)).toBe(true);
    expect(names(ada.set)).not.toContain('authjs.csrf-token');
    expect(await ada.session()).toMatchObject({ user: { email: 'ada@example.com' } });
  });

  it('hands over every field as text, and the return address as it was judged to be', async () => {
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
    const store = memoryStore();
    const user = { id: '1', name: 'Ada', email: 'ada@example.com', emailVerified: null };
    store.users.set('1', user);
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

  it('throws AccessDenied, or goes where the `signIn` callback sends it', async () => {
    const refused = visitor({ callbacks: { signIn: () => false } });
    await expect(signIn(refused.configured, refused.host(), 'credentials', right)).rejects.toThrow(AccessDenied);
    const sent = visitor({ callbacks: { signIn: () => '/welcome-back-later' } });
    expect(await destination(signIn(sent.configured, sent.host(), 'credentials', right))).toBe(
      `${origin}/welcome-back-later`,
    );
    expect([startsSession(refused.set), startsSession(sent.set)]).toEqual([false, false]);
  });

  it('throws when the form is sent by a page that wants addresses instead of redirects', async () => {
    const ada = visitor();
    const headers = new Headers({ 'x-auth-return-redirect': '1' });
    await expect(signIn(ada.configured, ada.host({ headers }), 'credentials')).rejects.toThrow(CredentialsSignin);
  });
});

const right = { password: 'password' };

describe('signIn by email', () => {
  it('mails the link and leads to the page that says so', async () => {
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

describe('signIn without a provider that is known', () => {
  it.each<[string, unknown]>([
    ['no', undefined],
    ['an unknown', 'elsewhere'],
    ['an empty', ''],
    ['a form instead of a', form({ email: 'ada@example.com' })],
    ['an inherited', 'constructor'],
  ])('leads to the sign-in page: %s provider', async (_which, provider) => {
    const ada = visitor();
    const to = signIn(ada.configured, ada.readOnly(), provider as string, { redirectTo: '/in?x=1' });
    expect(await destination(to)).toBe(`${origin}/auth/signin?callbackUrl=%2Fin%3Fx%3D1`);
    expect(ada.set).toEqual([]);
  });

  it('does so where it is mounted', async () => {
    const ada = visitor({ basePath: '/configured' });
    const to = (own: object) => signIn(ada.configured, ada.host(own), undefined, { redirect: false });
    expect(await to({})).toBe(`${origin}/configured/signin?callbackUrl=%2F`);
    expect(await to({ basePath: '/api/auth' })).toBe(`${origin}/api/auth/signin?callbackUrl=%2F`);
  });
});
