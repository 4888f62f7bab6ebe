import type { Page } from '@latchkey/testing';
import { describe, expect, it } from 'vitest';
import type { AuthError } from '../../src/errors.ts';
import Credentials from '../../src/providers/credentials.ts';
import type { Adapter } from '../../src/types/adapter.ts';
import type { AuthConfig } from '../../src/types/config.ts';
import { oneDoor } from './doors.ts';
import {
  expectConfiguration,
  expectRefused,
  fakeProvider,
  leadsTo,
  oidc,
  type Scene,
  type SceneOptions,
  scene,
  startsSession,
} from './scene.ts';
import { memoryStore } from './store.ts';

const development: SceneOptions = { call: { development: true } };
const REASON = 'connect ECONNREFUSED db.internal:5432';
const REFERENCE = /^[\da-f]{8}$/;

function fails(): never {
  throw new Error(REASON);
}

/** The reference of the newest line in the log. */
function loggedReference(app: Scene): string {
  const reference = String(app.log.errors.at(-1)?.cause?.reference);
  expect(reference).toMatch(REFERENCE);
  return reference;
}

const fake = fakeProvider();
const provider = oidc(fake);
const login = Credentials({ credentials: { name: {} }, authorize: () => ({ id: '7', name: 'Ada' }) });

/** Faults that are the owner's to mend: how they come about, and how the log and the development page name them. */
const runtime: [string, Partial<AuthConfig>, (app: Scene) => Promise<Page>, type: string][] = [
  ['a store that is down', { providers: [provider], adapter: { ...memoryStore().adapter, getUserByAccount: fails } }, (app) => app.signIn(fake), 'AdapterError'],
  ['a `jwt` callback that throws', { providers: [provider], callbacks: { jwt: fails } }, (app) => app.signIn(fake), 'CallbackRouteError'],
  ['`authorize()` that breaks', { providers: [Credentials({ authorize: fails })] }, (app) => app.post('callback/credentials'), 'CallbackRouteError'],
  ['a client without its id', { providers: [oidc(fake, { clientId: undefined })] }, (app) => app.begin(), ''],
  ['an adapter that cannot be made', { providers: [provider], adapter: fails as () => Adapter }, (app) => app.begin(), 'AdapterError'],
  ['a mail store that is down', {
    providers: [{ id: 'mail', name: 'Mail', type: 'email', sendVerificationRequest: () => undefined }],
    adapter: { ...memoryStore().adapter, createVerificationToken: fails, useVerificationToken: () => null },
  }, (app) => app.post('signin/mail', { email: 'ada@example.com' }), 'AdapterError'],
]; // biome-ignore format: one fault, one line

const misconfigured: [string, Partial<AuthConfig>, type: string, remedy: RegExp][] = [
  ['no secret', { secret: '' }, 'MissingSecret', /AUTH_SECRET/],
  ['an untrusted host', { trustHost: false }, 'UntrustedHost', /AUTH_TRUST_HOST/],
  ['database sessions without a store', { session: { strategy: 'database' } }, 'MissingAdapter', /adapter/],
  ['a page that is a script', { pages: { signIn: 'javascript:alert(1)' } }, 'AuthError', /like \/login/],
];

const PAGES = ['signin', 'signout', 'error', 'verify-request'];

describe.each(oneDoor)('in production, through $name', (door) => {
  it.each(runtime)(
    '%s is shown as a reference that is also in the log, without its reason',
    async (_, config, cause, type) => {
      const app = scene(door, config);
      const page = await cause(app);
      expectConfiguration(app, page);
      const shown = await app.browser.follow(page);
      expect(shown.status).toBe(500);
      expect(shown.text()).toContain(`<code>${loggedReference(app)}</code>`);
      for (const told of [page.text(), page.location, shown.text()]) {
        expect(told).not.toMatch(
          /ECONNREFUSED|db\.internal|node_modules|\bat \w+ \(|\.ts:\d|AdapterError|CallbackRoute/,
        );
      }
      if (type) expect(app.log.errors.at(-1)?.type).toBe(type);
    },
  );

  it.each(misconfigured)('%s has the same reference on each page, and is logged once', async (_, config, type) => {
    const app = scene(door, config);
    for (const path of PAGES) {
      const page = await app.browser.get(`/auth/${path}`);
      expect(page.status).toBe(500);
      expect(page.text()).toContain(`<code>${loggedReference(app)}</code>`);
      expect(page.text()).not.toContain(type);
      expect(page.setCookies).toEqual([]);
    }
    expect(app.log.types()).toEqual([type]);
    const answer = await app.browser.post('/auth/signin/fake', {});
    expect(answer.status).toBe(500);
    expect(answer.json()).toEqual({
      message: expect.stringContaining(loggedReference(app)),
      reference: loggedReference(app),
    });
  });

  it('every fault has its own reference', async () => {
    const app = scene(door, { providers: [provider], callbacks: { jwt: fails } });
    await app.signIn(fake);
    const first = loggedReference(app);
    await app.signIn(fake);
    expect(loggedReference(app)).not.toBe(first);
  });

  it("the visitor's and the provider's faults have no reference, only their code", async () => {
    const app = scene(door, { providers: [provider, login], callbacks: { signIn: () => false } });
    expect(leadsTo(await app.signIn(fake))).toBe('/auth/error?error=AccessDenied');
    const unknown = await app.post('signin/unknown');
    expectRefused(app, unknown, 'InvalidProvider');
    expect(app.log.errors.map((error) => error.cause?.reference)).toEqual([undefined, undefined]);
  });
});

describe.each(oneDoor)("the application's own error page, through $name", (door) => {
  const pages = { error: '/oops?lang=en' };

  it('gets error and reference of a runtime fault', async () => {
    const app = scene(door, { providers: [provider], pages, callbacks: { jwt: fails } });
    const page = await app.signIn(fake);
    expect(leadsTo(page)).toBe(`/oops?lang=en&error=Configuration&reference=${loggedReference(app)}`);
  });

  it.each(misconfigured)('gets error and reference of a configuration problem: %s', async (_, config) => {
    const app = scene(door, { ...config, pages: { ...config.pages, ...pages } });
    const page = await app.browser.get('/auth/signin');
    expect(page.status).toBe(302);
    expect(leadsTo(page)).toBe(`/oops?lang=en&error=Configuration&reference=${loggedReference(app)}`);
  });

  it('gets the parameters of the error action, without a reference that the library cannot have made', async () => {
    const app = scene(door, { pages });
    const address = async (query: string): Promise<string | undefined> =>
      (await app.browser.get(`/auth/error${query}`)).location;
    expect(await address('?error=AccessDenied')).toBe('/oops?lang=en&error=AccessDenied');
    expect(await address('?error=Configuration&reference=0123abcd')).toBe(
      '/oops?lang=en&error=Configuration&reference=0123abcd',
    );
    expect(await address('?error=Configuration&reference=call+0900+1234')).toBe('/oops?lang=en&error=Configuration');
    expect(await address('')).toBe('/oops?lang=en');
  });
});

describe.each(oneDoor)('in development, through $name', (door) => {
  it.each(runtime)('%s is explained on the page, at once', async (_, config, cause, type) => {
    const app = scene(door, config, development);
    const page = await cause(app);
    expect([page.status, page.location]).toEqual([500, undefined]);
    expect(startsSession(page)).toBe(false);
    const logged = app.log.errors.at(-1) as AuthError;
    expect(page.text()).toContain(`<code>${loggedReference(app)}</code>`);
    expect(page.text()).toContain(`<h2>${logged.type}</h2>`);
    expect(page.text()).toContain(`docs/errors.md#${logged.type.toLowerCase()}`);
    if (!type) return;
    expect(logged.type).toBe(type);
    expect(page.text()).toContain(REASON);
    expect(page.text()).not.toMatch(/\.ts:\d|node_modules/);
  });

  it.each(misconfigured)('%s is explained on each page, with its remedy', async (_, config, type, remedy) => {
    const app = scene(door, { ...config, pages: { ...config.pages, error: '/oops' } }, development);
    for (const path of PAGES) {
      const page = await app.browser.get(`/auth/${path}`);
      expect([page.status, page.location]).toEqual([500, undefined]);
      expect(page.text()).toContain(`<h2>${type}</h2>`);
      expect(page.text()).toMatch(remedy);
      expect(page.text()).toContain(`<code>${loggedReference(app)}</code>`);
    }
  });

  it('the page shows all problems at once', async () => {
    const app = scene(
      door,
      { secret: '', trustHost: false, providers: [oidc(fake, { issuer: 'http://idp.example' })] },
      development,
    );
    const html = (await app.browser.get('/auth/signin')).text();
    expect([...html.matchAll(/<h2>(\w+)<\/h2>/g)].map(([, type]) => type)).toEqual([
      'UntrustedHost',
      'MissingSecret',
      'InvalidEndpoints',
    ]);
  });

  it('the message of an exception cannot change the page', async () => {
    const app = scene(
      door,
      {
        providers: [provider],
        callbacks: {
          jwt: () => {
            throw new Error('<script>alert(1)</script>`');
          },
        },
      },
      development,
    );
    const html = (await app.signIn(fake)).text();
    expect(html).not.toContain('<script>');
    expect(html).toContain('&lt;script&gt;');
  });

  it('a script that asks for a URL gets only the URL', async () => {
    const app = scene(door, { providers: [Credentials({ authorize: fails })] }, development);
    const { csrfToken } = (await app.browser.get('/auth/csrf')).json<{ csrfToken: string }>();
    const headers = { 'x-auth-return-redirect': '1' };
    const page = await app.browser.post('/auth/callback/credentials', { csrfToken }, { headers });
    expect(page.status).toBe(200);
    expect(page.json()).toEqual({
      url: `http://localhost:3000/auth/error?error=Configuration&reference=${loggedReference(app)}`,
    });
    expect([page.location, page.setCookies]).toEqual([undefined, []]);
  });

  it("the visitor's and the provider's faults are shown as before", async () => {
    const app = scene(door, { providers: [provider], callbacks: { signIn: () => false } }, development);
    expect(leadsTo(await app.signIn(fake))).toBe('/auth/error?error=AccessDenied');
    expect((await app.browser.post('/auth/signin/fake', {})).location).toMatch(/\/auth\/signin\?error=MissingCSRF$/);
    const page = await app.browser.get('/auth/error?error=Configuration&reference=0123abcd');
    expect(page.status).toBe(500);
    expect(page.text()).not.toContain('<h2>');
  });

  it('the session is read as usual, and a failed POST is not answered with a page', async () => {
    const app = scene(door, { providers: [login], callbacks: { session: fails } }, development);
    await app.post('callback/credentials');
    expect(await app.session()).toBeNull();
    const refused = await app.browser.post('/auth/session', { data: 1 });
    expect([refused.status, refused.json()]).toEqual([400, null]);
  });
});

describe.each(oneDoor)('a wrong client secret, through $name', (door) => {
  const wrong = { clientSecret: 'wrong' };
  const remedy =
    /provider "fake": https:\/\/idp\.test\/token refused this client \(401 invalid_client, "wrong client secret"\)\. Check AUTH_FAKE_SECRET\. It was sent as (client_secret_(basic|post)) for client "client"\./;

  it('is in the log with the error of the provider, and the variable to check', async () => {
    for (const method of ['client_secret_basic', 'client_secret_post'] as const) {
      const clients = [{ client_id: 'client', client_secret: 'right', token_endpoint_auth_method: method }];
      const own = fakeProvider({ clients });
      const app = scene(door, { providers: [oidc(own, { ...wrong, client: { token_endpoint_auth_method: method } })] });
      expectRefused(app, await app.signIn(own), 'OAuthCallbackError');
      expect(remedy.exec(app.log.errors[0]?.message ?? '')?.[1]).toBe(method);
      expect(app.log.errors[0]?.cause).toEqual({
        provider: 'fake',
        status: 401,
        error: 'invalid_client',
        error_description: 'wrong client secret',
        variable: 'AUTH_FAKE_SECRET',
      });
    }
  });

  it('is in the log for a provider that answers with the status 200', async () => {
    const own = fakeProvider();
    own.faults.token = { status: 200, body: { error: 'incorrect_client_credentials' } };
    const app = scene(door, { providers: [oidc(own, { id: 'my-idp' })] });
    expectRefused(app, await app.signIn(own, { id: 'my-idp' }), 'OAuthCallbackError');
    expect(app.log.errors[0]?.message).toMatch(/\(200 incorrect_client_credentials\)\. Check AUTH_MY_IDP_SECRET\./);
  });

  it('is on the page in development', async () => {
    const app = scene(door, { providers: [oidc(fake, wrong)] }, development);
    const page = await app.signIn(fake);
    expect(page.status).toBe(500);
    expect(page.text().replaceAll('&quot;', '"')).toMatch(remedy);
    expect(page.text()).toContain(`<code>${loggedReference(app)}</code>`);
    expect(startsSession(page)).toBe(false);
  });

  it('is not what a page in development says if the visitor cancels', async () => {
    const app = scene(door, { providers: [oidc(fake)] }, development);
    const page = await app.signIn(fake, {
      consent: { deny: 'access_denied', parameters: { error: 'invalid_client' } },
    });
    expectRefused(app, page, 'OAuthCallbackError');
  });
});
