import { application, FakeProvider, memoryAdapter, type Page } from '@latchkey/testing';
import { describe, expect, it } from 'vitest';
import { CredentialsSignin } from '../../src/errors.ts';
import de from '../../src/messages/de.ts';
import Credentials from '../../src/providers/credentials.ts';
import Passkey from '../../src/providers/passkey.ts';
import WebAuthn from '../../src/providers/webauthn.ts';
import type { AuthConfig } from '../../src/types/config.ts';
import { forms } from '../views/outline.ts';
import { leadsTo, startsSession } from './scene.ts';

class Locked extends CredentialsSignin {
  override code = 'locked';
}

/** The fields that `authorize()` has received. */
let received: Record<string, unknown> = {};

const login = Credentials({
  credentials: { username: { label: 'Username' }, password: { label: 'Password', type: 'password' } },
  authorize: (credentials) => {
    received = { ...credentials };
    if (credentials.username === 'locked') throw new Locked();
    return credentials.password === 'right' ? { id: '1', name: 'Ada', email: 'ada@example.com' } : null;
  },
});

/** An application with a name and a password, mails, and a provider. */
function site(config: Partial<AuthConfig> = {}) {
  return application({
    adapter: memoryAdapter(),
    config: ({ provider, mail }) => ({
      providers: [provider.provider(), mail, login],
      session: { strategy: 'jwt' },
      ...config,
    }),
  });
}

type Site = ReturnType<typeof site>;

/** Fills in the form of the sign-in page for an address or a name. */
async function typeName(app: Site, identifier: string): Promise<Page> {
  const page = await app.browser.get('/auth/signin?callbackUrl=/inbox');
  return app.browser.submit(app.browser.form(page, '/auth/signin'), { identifier });
}

const formOf = (page: Page, path: string) => forms(page.text()).find(({ action }) => action?.endsWith(path));
const alertOf = (page: Page) => /role="alert"[^>]*>(.*?)<\/div>/.exec(page.text())?.[1];

describe('the step for the password', () => {
  it.each(['ada@example.com', 'nobody@example.com'])('asks no store about %s', async (name) => {
    const app = site();
    const start = await app.browser.get('/auth/signin');
    const before = JSON.stringify(app.adapter.dump());
    const page = await app.browser.submit(app.browser.form(start, '/auth/signin'), { identifier: name });
    expect(page.status).toBe(200);
    expect(page.headers.get('cache-control')).toBe('private, no-store');
    expect(JSON.stringify(app.adapter.dump())).toBe(before);
    expect(app.mails).toEqual([]);
    const form = formOf(page, '/callback/credentials');
    expect(form?.inputs['username']).toMatchObject({ value: name, readonly: '', autocomplete: 'username' });
    expect(form?.inputs['password']).toMatchObject({ autofocus: '' });
    expect(formOf(page, '/signin/mail')?.inputs['email']?.['value']).toBe(name);
  });

  it('leads to the session, with the fields that `authorize()` always gets', async () => {
    const app = site();
    const page = await typeName(app, 'ada@example.com');
    const done = await app.browser.submit(app.browser.form(page, 'callback/credentials'), { password: 'right' });
    expect(leadsTo(done)).toBe('/inbox');
    expect(await app.session()).toMatchObject({ user: { name: 'Ada' } });
    expect(Object.keys(received).sort()).toEqual(['callbackUrl', 'csrfToken', 'password', 'username']);
  });

  it('mails a link instead', async () => {
    const app = site();
    const page = await typeName(app, 'Ada@Example.com');
    const sent = await app.browser.submit(app.browser.form(page, 'signin/mail'));
    expect(leadsTo(sent)).toContain('/auth/verify-request');
    expect(app.mails.map(({ identifier }) => identifier)).toEqual(['ada@example.com']);
  });

  it('offers no mail to a name that is not an address', async () => {
    const page = await typeName(site(), 'ada');
    expect(formOf(page, '/signin/mail')).toBeUndefined();
  });

  it.each(['', '   ', 'x'.repeat(255)])('is refused for %j', async (name) => {
    const page = await typeName(site(), name);
    expect(page.status).toBe(422);
    expect(forms(page.text())[0]?.inputs['identifier']).toMatchObject({ 'aria-invalid': 'true' });
  });

  it('stays after a wrong password, which is not in the page', async () => {
    const app = site();
    const page = await typeName(app, 'ada@example.com');
    const wrong = await app.browser.submit(app.browser.form(page, 'callback/credentials'), { password: 'hunter2' });
    expect(wrong.status).toBe(422);
    expect(startsSession(wrong)).toBe(false);
    expect(alertOf(wrong)).toBe('<p>These details are not correct.</p>');
    const { inputs = {} } = formOf(wrong, '/callback/credentials') ?? {};
    expect(inputs['username']).toMatchObject({ value: 'ada@example.com', readonly: '' });
    expect(inputs['password']).toMatchObject({ 'aria-invalid': 'true', autofocus: '' });
    expect(wrong.text()).not.toContain('hunter2');
    const right = await app.browser.submit(app.browser.form(wrong, 'callback/credentials'), { password: 'right' });
    expect(leadsTo(right)).toBe('/inbox');
  });

  it.each<[string, Partial<AuthConfig>]>([
    ['an application with its own sign-in page', { pages: { signIn: '/login' } }],
    ['an application without credentials', { providers: [new FakeProvider().provider()] }],
  ])('is not for %s', async (_, config) => {
    const app = site(config);
    const reply = await app.post('signin', { identifier: 'ada@example.com' });
    expect(leadsTo(reply)).toBe('/auth/signin');
  });

  it('is not for scripts that ask for a URL', async () => {
    const app = site();
    const fields = { csrfToken: await app.csrfToken(), identifier: 'ada@example.com' };
    const reply = await app.browser.post('/auth/signin', fields, { headers: { 'x-auth-return-redirect': '1' } });
    expect(reply.json()).toEqual({ url: 'http://localhost:3000/auth/signin' });
  });
});

describe('the steps of keys', () => {
  const keys = (provider: AuthConfig['providers'][number], config: Partial<AuthConfig> = {}) =>
    application({
      adapter: memoryAdapter(),
      config: { providers: [provider], experimental: { enableWebAuthn: true }, ...config },
      call: { isOriginFixed: true },
    });

  it('use the key of the name that was typed', async () => {
    const app = keys(WebAuthn);
    const start = await app.browser.get('/auth/signin');
    const page = await app.browser.submit(app.browser.form(start, '/auth/signin'), { identifier: 'ada@example.com' });
    const form = formOf(page, '/callback/webauthn');
    expect(form?.inputs['email']).toMatchObject({
      ...{ value: 'ada@example.com', readonly: '', 'data-form-field': 'true' },
    });
    expect(form?.buttons[0]?.text).toBe('Use a security key');
    expect(page.headers.get('content-security-policy')).toContain("connect-src 'self'");
  });

  it('create an account, unless new users are refused', async () => {
    const app = keys(Passkey({ unverifiedEmail: 'allow' }));
    expect((await app.browser.get('/auth/signin')).text()).toContain('signin?step=register">Create an account</a>');
    const page = await app.browser.get('/auth/signin?step=register');
    expect(formOf(page, '/callback/passkey')?.inputs['email']).toMatchObject({ 'data-form-field': 'true' });
    expect(formOf(page, '/callback/passkey')?.buttons[0]).toMatchObject({
      ...{ attributes: { 'data-ceremony': 'register' }, text: 'Create a passkey' },
    });
    const refusing = keys(Passkey({ unverifiedEmail: 'refuse' }));
    expect((await refusing.browser.get('/auth/signin')).text()).not.toContain('Create an account');
  });

  it('stay after a passkey that was not accepted', async () => {
    const app = keys(Passkey({ unverifiedEmail: 'allow' }));
    const page = await app.browser.get('/auth/signin?step=register');
    const failed = await app.browser.submit(app.browser.form(page, 'callback/passkey'), {
      ...{ action: 'register', data: '{}', email: 'ada@example.com' },
    });
    expect(failed.status).toBe(422);
    expect(failed.text()).toContain('<h1>Create an account</h1>');
    expect(formOf(failed, '/callback/passkey')?.inputs['email']?.['value']).toBe('ada@example.com');
  });
});

describe('a form of a built-in page that fails', () => {
  it('is answered by the page, with the address that was typed', async () => {
    const app = application({ adapter: memoryAdapter(), config: ({ mail }) => ({ providers: [mail] }) });
    const page = await app.browser.get('/auth/signin?callbackUrl=/inbox');
    const failed = await app.browser.submit(app.browser.form(page), { email: 'ada@' });
    expect(failed.status).toBe(422);
    expect(failed.location).toBeUndefined();
    expect(alertOf(failed)).toContain('Enter an email address');
    expect(forms(failed.text())[0]?.inputs['email']).toMatchObject({ value: 'ada@', 'aria-invalid': 'true' });
    expect(forms(failed.text())[0]?.inputs['callbackUrl']?.['value']).toBe('http://localhost:3000/inbox');
    const sent = await app.browser.submit(app.browser.form(failed), { email: 'ada@example.com' });
    expect(leadsTo(sent)).toContain('/auth/verify-request');
  });

  it('says that the mail could not be sent, and offers to send it again', async () => {
    const down = {
      ...{ id: 'mail', name: 'Mail', type: 'email' as const },
      sendVerificationRequest: () => Promise.reject(new Error('down')),
    };
    const app = application({ adapter: memoryAdapter(), config: { providers: [down] } });
    const failed = await app.browser.submit(app.browser.form(await app.browser.get('/auth/signin')), {
      email: 'ada@example.com',
    });
    expect(alertOf(failed)).toContain('The email could not be sent.');
    expect(forms(failed.text())[0]?.buttons[0]?.text).toBe('Send again');
  });

  it('is that of the page after a mail, and keeps the address and where the visitor goes', async () => {
    const mails: string[] = [];
    const failing = {
      ...{ id: 'mail', name: 'Mail', type: 'email' as const, code: true },
      sendVerificationRequest: async ({ identifier }: { identifier: string }) => {
        if (mails.push(identifier) === 2) throw new Error('down');
      },
    };
    const app = application({ adapter: memoryAdapter(), config: { providers: [failing] } });
    const page = await app.browser.get('/auth/signin?callbackUrl=/inbox');
    await app.browser.submit(app.browser.form(page), { email: 'ada@example.com' });
    app.clock.advance(60);
    const waiting = await app.browser.get('/auth/verify-request?provider=mail&type=email&code=1');
    await app.browser.get('/auth/signin?callbackUrl=/elsewhere');
    const failed = await app.browser.submit(app.browser.form(waiting, 'signin/mail'));
    expect(failed.status).toBe(422);
    expect(alertOf(failed)).toContain('The email could not be sent.');
    const [form] = forms(failed.text());
    expect(form?.inputs['email']).toMatchObject({ value: 'ada@example.com', 'aria-invalid': 'true' });
    expect(form?.inputs['callbackUrl']?.['value']).toBe('http://localhost:3000/inbox');
    const sent = await app.browser.submit(app.browser.form(failed));
    expect(leadsTo(sent)).toContain('/auth/verify-request');
    expect(mails).toEqual(['ada@example.com', 'ada@example.com', 'ada@example.com']);
  });

  it('has status 429 and the time to wait after too many attempts', async () => {
    const app = site({ providers: [login], rateLimit: { credentials: { limit: 1 } } });
    const page = await app.browser.get('/auth/signin');
    const fields = { username: 'ada', password: 'wrong' };
    await app.browser.submit(app.browser.form(page), fields);
    const late = await app.browser.submit(app.browser.form(page), fields);
    expect([late.status, late.headers.get('retry-after')]).toEqual([429, '900']);
    expect(alertOf(late)).toBe('<p>Too many attempts. Try again in\u00A015\u00A0minutes.</p>');
    expect(forms(late.text())[0]?.inputs['username']?.['value']).toBe('ada');
  });

  it('has a new token and its values after the page was open for too long', async () => {
    const app = site({ providers: [login] });
    const page = await app.browser.get('/auth/signin');
    app.browser.cookies.clear();
    const fields = { username: 'ada', password: 'right' };
    const old = await app.browser.submit(app.browser.form(page), fields);
    expect(old.status).toBe(422);
    expect(alertOf(old)).toContain('This page was open for too long.');
    expect(forms(old.text())[0]?.inputs['username']?.['value']).toBe('ada');
    const again = await app.browser.submit(app.browser.form(old), { password: 'right' });
    expect(startsSession(again)).toBe(true);
  });

  it('offers the other ways if a provider is down', async () => {
    const app = site();
    app.provider.faults.discovery = { status: 500 };
    const page = await app.browser.get('/auth/signin');
    const failed = await app.browser.submit(app.browser.form(page, 'signin/fake'));
    expect(failed.status).toBe(422);
    expect(alertOf(failed)).toBe('<p>Fake provider cannot be reached right now.</p>');
  });

  it("has the application's text for a code of its own, in the language of the page", async () => {
    const locale = { languages: [de], texts: { de: { codes: { locked: 'Konto gesperrt.' } } } };
    const app = site({ providers: [login], locale });
    const page = await app.browser.get('/auth/signin');
    expect(page.text()).toContain('<html lang="de" dir="ltr"');
    const failed = await app.browser.submit(app.browser.form(page), { username: 'locked' });
    expect(alertOf(failed)).toBe('<p>Konto gesperrt.</p>');
  });

  it('leads to the error page if the sign-in is not allowed', async () => {
    const app = site({ providers: [login], callbacks: { signIn: () => false } });
    const page = await app.browser.get('/auth/signin');
    const fields = { username: 'ada', password: 'right' };
    const refused = await app.browser.submit(app.browser.form(page), fields);
    expect(leadsTo(refused)).toBe('/auth/error?error=AccessDenied');
  });

  it('is a redirect for other clients, and for scripts that ask for a URL', async () => {
    const app = site();
    const refused = await app.post('callback/credentials', { username: 'ada' });
    expect(refused.location).toBe(
      'http://localhost:3000/auth/signin?error=CredentialsSignin&code=credentials&provider=credentials',
    );
    const fields = { csrfToken: await app.csrfToken(), username: 'ada', latchkeyPage: 'signin' };
    const reply = await app.browser.post('/auth/callback/credentials', fields, {
      headers: { 'x-auth-return-redirect': '1' },
    });
    expect(reply.json()).toEqual({ url: refused.location });
  });

  it('is a redirect to a sign-in page of the application', async () => {
    const app = site({ pages: { signIn: '/login' } });
    const refused = await app.post('callback/credentials', { username: 'ada', latchkeyPage: 'signin' });
    expect(leadsTo(refused)).toBe('/login?error=CredentialsSignin&code=credentials');
  });

  it.each(['nonsense', 'password', '__proto__'])(
    'is the sign-in page for the page %j without a name',
    async (latchkeyPage) => {
      const app = site();
      const refused = await app.post('callback/credentials', { password: 'x', latchkeyPage });
      expect(refused.status).toBe(422);
      expect(refused.text()).toContain('<h1>Sign in</h1>');
    },
  );
});

describe('what a page learns of an error', () => {
  const locations = async (app: Site, steps: Parameters<Site['signIn']>[0] = {}): Promise<string | undefined> =>
    (await app.signIn(steps)).location?.replace('http://localhost:3000', '');

  it.each(['/auth/signin', '/login'])('of a callback is provider and reason, at %s', async (signIn) => {
    const app = site(signIn === '/login' ? { pages: { signIn } } : {});
    expect(await locations(app, { consent: { deny: 'access_denied' } })).toBe(
      `${signIn}?error=OAuthCallbackError&provider=fake&reason=cancelled`,
    );
    expect(await locations(app, { consent: { deny: 'server_error' } })).toBe(
      `${signIn}?error=OAuthCallbackError&provider=fake`,
    );
  });

  it('of an address that is not verified is the reason', async () => {
    const app = application({
      adapter: memoryAdapter(),
      config: ({ provider }) => ({ providers: [provider.provider()] }),
    });
    const unverified = { user: { sub: 'u', email: 'u@example.com', email_verified: false } };
    const page = await app.signIn({ consent: unverified });
    expect(page.location).toContain('error=OAuthCreateAccount&provider=fake&reason=unverified');
    expect((await app.browser.follow(page)).text()).toContain(
      'Verify your address at Fake provider, then sign in again.',
    );
  });

  it('is only what is in a closed list', async () => {
    const app = site({
      callbacks: {
        jwt: () => {
          throw Object.assign(new CredentialsSignin('x', { reason: 'call us', provider: 'unknown' }));
        },
      },
      providers: [login],
    });
    const page = await app.post('callback/credentials', { username: 'ada', password: 'right' });
    expect(page.location).toBe('http://localhost:3000/auth/signin?error=CredentialsSignin&code=credentials');
  });
});

describe('the sign-in page of a visitor who is signed in', () => {
  it('names the user, and leads on, to another way and to another account', async () => {
    const app = site();
    await app.post('callback/credentials', { username: 'ada', password: 'right' });
    const page = await app.browser.get('/auth/signin?callbackUrl=/inbox');
    expect(page.text()).toContain('<h1>You are signed in</h1>');
    expect(page.text()).toContain('signed in as <strong><bdi>ada@example.com</bdi></strong>.');
    expect(page.text()).toContain('<a class="button" href="http://localhost:3000/inbox">Continue as Ada</a>');
    expect(page.text()).toContain('href="http://localhost:3000/auth/signin?add">Add a way to sign in</a>');
    const out = await app.browser.submit(app.browser.form(page, 'signout'));
    expect(leadsTo(out)).toBe('/auth/signin');
    expect(await app.session()).toBeNull();
  });

  it('adds no way without a store', async () => {
    const app = application();
    await app.signIn();
    const page = await app.browser.get('/auth/signin');
    expect(page.text()).toContain('You are signed in');
    expect(page.text()).not.toContain('Add a way');
  });

  it.each(['?add', '?error=OAuthAccountNotLinked&reason=other-user'])(
    'has the ways to sign in with %s',
    async (query) => {
      const app = site();
      await app.post('callback/credentials', { username: 'ada', password: 'right' });
      const page = await app.browser.get(`/auth/signin${query}`);
      expect(page.text()).toContain('signed in as <strong><bdi>ada@example.com</bdi></strong>.');
      expect(formOf(page, '/signin/fake')).toBeDefined();
    },
  );
});

describe('the way that was used last', () => {
  const cookieOf = (page: Page) => page.setCookies.find(({ name }) => name.endsWith('authjs.last'));

  it('has a badge, with the option', async () => {
    const app = site({ theme: { lastUsed: true } });
    expect((await app.browser.get('/auth/signin')).text()).not.toContain('Last used');
    const done = await app.signIn();
    expect(cookieOf(done)).toMatchObject({ value: 'fake', httpOnly: true, maxAge: 15_552_000 });
    await app.signOut();
    expect((await app.browser.get('/auth/signin')).text()).toContain('<span class="badge">Last used</span>');
  });

  it.each([
    [undefined, '__Secure-authjs.last'],
    ['__Host-', '__Host-authjs.last'],
  ] as const)('is in a cookie that has the prefix of the session (%s)', async (prefix, name) => {
    const app = application({
      origin: 'https://example.com',
      config: { theme: { lastUsed: true }, cookies: { prefix } },
    });
    expect(cookieOf(await app.signIn())).toMatchObject({ name });
  });

  it('is not remembered without the option', async () => {
    const app = site();
    expect(cookieOf(await app.signIn())).toBeUndefined();
    app.browser.cookies.set('authjs.last', 'fake');
    await app.signOut();
    expect((await app.browser.get('/auth/signin')).text()).not.toContain('Last used');
  });
});

describe('the name of a provider on the page', () => {
  it.each<[string, object, string]>([
    ['its label', {}, 'Microsoft'],
    ['the name that the application sets', { name: 'Our company' }, 'Our company'],
    ['the label that the application sets', { style: { label: 'Work' } }, 'Work'],
    ['the label beside a name', { name: 'Our company', style: { label: 'Work' } }, 'Work'],
  ])('is %s', async (_, options, name) => {
    const entra = { ...new FakeProvider().provider(), name: 'Microsoft Entra ID', style: { label: 'Microsoft' } };
    const app = site({ providers: [{ ...entra, options } as AuthConfig['providers'][number]] });
    expect((await app.browser.get('/auth/signin')).text()).toContain(`Sign in with ${name}</span>`);
  });
});
