import { describe, expect, it } from 'vitest';
import { Auth } from '../../src/auth.ts';
import { AdapterError, CallbackRouteError, CredentialsSignin } from '../../src/errors.ts';
import Credentials from '../../src/providers/credentials.ts';
import { raw, skipCSRFCheck } from '../../src/symbols.ts';
import type { AuthConfig } from '../../src/types/config.ts';
import { doors } from './doors.ts';
import { expectRefused, fakeProvider, log, oidc, SECRET, scene } from './scene.ts';
import { memoryStore } from './store.ts';

const provider = oidc(fakeProvider());
const login = Credentials({ credentials: { name: {} }, authorize: () => ({ id: '7', name: 'Ada' }) });

describe.each(doors)('the texts of the pages, through $name', (door) => {
  it.each([
    ['Configuration', 500, 'Sign-in does not work right now'],
    ['AccessDenied', 403, 'You do not have access'],
    ['Verification', 403, 'This link has expired or was used'],
    ['Anything', 200, 'Something went wrong'],
    ['configuration', 200, 'Something went wrong'],
    ['__proto__', 200, 'Something went wrong'],
    ['', 200, 'Something went wrong'],
  ])('error?error=%s is a %i with the heading "%s"', async (error, status, heading) => {
    const page = await scene(door, {}).browser.get(`/auth/error?${new URLSearchParams({ error })}`);
    expect(page.status).toBe(status);
    expect(page.text()).toContain(`<h1>${heading}</h1>`);
    const signIn = page.text().includes('href="http://localhost:3000/auth/signin"');
    expect(signIn).toBe(error === 'AccessDenied' || error === 'Verification');
  });

  it('error links to the sign-in page of the application if it has one', async () => {
    const page = await scene(door, { pages: { signIn: '/login' } }).browser.get('/auth/error?error=AccessDenied');
    expect(page.text()).toContain('href="/login"');
  });

  it.each([
    ['OAuthSignin', 'The service cannot be reached'],
    ['OAuthCallbackError', 'The service did not complete the sign-in.'],
    ['OAuthCallbackError&provider=fake', 'Fake did not complete the sign-in.'],
    ['OAuthCallbackError&provider=%3Cb%3E&reason=cancelled', 'You cancelled the sign-in at The service.'],
    ['RateLimited&retryAfter=300', 'Try again in\u00A05\u00A0minutes.'],
    ['RateLimited&retryAfter=-1', 'Try again in a few minutes.'],
    ['InvalidCheck', 'expired or was started in another browser'],
  ])('signin?error=%s is a 200 with its sentence', async (error, sentence) => {
    const page = await scene(door, { providers: [provider] }).browser.get(`/auth/signin?error=${error}`);
    expect(page.status).toBe(200);
    expect(page.text()).toContain(sentence);
    expect(page.text()).toContain('role="alert"');
  });

  it.each(['Anything', '__proto__', 'toString', '<b>'])('signin?error=%s has the general sentence', async (error) => {
    const page = await scene(door, {}).browser.get(`/auth/signin?${new URLSearchParams({ error })}`);
    expect(page.text()).toContain('You could not be signed in.');
    expect(page.text()).not.toContain('<b>');
  });

  it('signin without an error has no alert', async () => {
    for (const query of ['', '?error=']) {
      expect((await scene(door, {}).browser.get(`/auth/signin${query}`)).text()).not.toContain('role="alert"');
    }
  });

  it("a refused credential's own code is on the sign-in page, but no sentence of a link's author", async () => {
    class Locked extends CredentialsSignin {
      override code = 'locked';
    }
    const refuses = Credentials({
      authorize: () => {
        throw new Locked('too many tries of 10.0.0.7');
      },
    });
    const app = scene(door, { providers: [refuses] });
    const page = await app.post('callback/credentials');
    expectRefused(app, page, 'CredentialsSignin&code=locked');
    const shown = (await app.browser.follow(page)).text();
    expect(shown).toContain('Code: locked');
    expect(shown).not.toContain('10.0.0.7');
    const planted = await app.browser.get(
      '/auth/signin?error=CredentialsSignin&code=call%20us%20at%200900%20555%20019',
    );
    expect(planted.text()).not.toContain('0900 555');
  });
});

describe.each(doors)('a URL that a header cannot hold as it is, through $name', (door) => {
  it('reaches a script as well', async () => {
    const app = scene(door, {
      providers: [login],
      pages: { newUser: '/', signIn: '/anmelden-€' },
      callbacks: { redirect: () => '/grüße-€' },
    });
    const { csrfToken } = (await app.browser.get('/auth/csrf')).json<{ csrfToken: string }>();
    const headers = { 'x-auth-return-redirect': '1' };
    const out = await app.browser.post('/auth/signout', { csrfToken }, { headers });
    expect(out.json()).toEqual({ url: 'http://localhost:3000/gr%C3%BC%C3%9Fe-%E2%82%AC' });
    const page = await app.browser.get('/auth/signin', { headers });
    expect(page.status).toBe(200);
    expect(page.location).toMatch(/^\/anmelden-%E2%82%AC\?/);
  });
});

describe.each([false, true])('a fault in raw mode, development: %s', (development) => {
  const post = (headers: Record<string, string> = {}): Request =>
    new Request('http://localhost:3000/auth/callback/credentials', { method: 'POST', headers });
  const fails = (): never => {
    throw new Error('db.internal');
  };
  const rawConfig = (own: Partial<AuthConfig>): AuthConfig & { raw: typeof raw } => ({
    providers: [login],
    secret: SECRET,
    trustHost: true,
    skipCSRFCheck,
    ...own,
    raw,
  });

  it('is thrown and logged once without a reference, because the caller has the error itself', async () => {
    for (const [own, type] of [
      [{ callbacks: { jwt: fails } }, CallbackRouteError],
      [{ adapter: { ...memoryStore().adapter, getUser: fails }, session: { strategy: 'database' } }, AdapterError],
    ] as const) {
      const logger = log();
      const asked = Auth(post(), rawConfig({ ...own, logger }) as AuthConfig, { development });
      await expect(asked).rejects.toBeInstanceOf(type);
      expect(logger.errors.map((error) => error.cause?.reference)).toEqual([undefined]);
    }
  });

  it('is answered if a script asks for a URL, or if the configuration is wrong', async () => {
    const logger = log();
    const told = await Auth(post({ 'x-auth-return-redirect': '1' }), rawConfig({ logger, callbacks: { jwt: fails } }));
    expect(told).toBeInstanceOf(Response);
    expect(await (told as unknown as Response).json()).toEqual({
      url: `http://localhost:3000/auth/error?error=Configuration&reference=${logger.errors[0]?.cause?.reference}`,
    });
    const wrong = await Auth(post(), rawConfig({ logger, secret: '' }));
    expect([wrong.constructor, wrong.status]).toEqual([Response, 500]);
  });
});
