import type { AdapterLike } from '@latchkey/core/adapters';
import { signOut } from '@latchkey/core/binding';
import type { AuthConfig } from '@latchkey/core/types';
import { type Application, application, memoryAdapter, type Page } from '@latchkey/testing';
import { describe, expect, it } from 'vitest';
import { logoutScene } from './scene.ts';

const ENDPOINT = 'https://idp.test/end-session?tenant=1';
const home = 'http://localhost:3000';

type Scene = ReturnType<typeof logoutScene>;
type App = Application<AdapterLike | undefined>;

function scene(options: Parameters<typeof logoutScene>[0] = {}): Scene {
  const made = logoutScene(options);
  made.provider.misbehave({ discovery: { json: { end_session_endpoint: ENDPOINT } } });
  return made;
}

/** The configuration without records, where only the session token says how the session began. */
const withoutRecords: Partial<AuthConfig> = { session: {}, logout: { provider: true } };

/** Signs in, and checks that this has worked. */
async function signedIn({ app, signIn }: Scene): Promise<void> {
  await signIn('s1');
  expect(await app.session()).not.toBeNull();
}

async function expectLocal(app: App, page: Page): Promise<void> {
  expect(page.location).toBe(`${home}/bye`);
  expect(await app.session()).toBeNull();
}

function signOutTo(app: App, fields: Record<string, unknown> = {}): Promise<Page> {
  return app.post('signout', { callbackUrl: '/bye', ...fields });
}

describe('a sign-out leads to the provider', () => {
  it.each([
    ['a cookie', undefined],
    ['the store', memoryAdapter],
  ] as const)('where the session began, with sessions in %s and the ID token of the sign-in', async (_, adapterOf) => {
    const { app, provider, records, signIn } = scene({ adapter: adapterOf?.() });
    await signIn('s1');
    const page = await signOutTo(app);
    const { origin, pathname, searchParams } = page.redirect ?? new URL('about:blank');
    const { state, id_token_hint: hint = '', ...params } = Object.fromEntries(searchParams);
    expect(origin + pathname).toBe('https://idp.test/end-session');
    expect(params).toEqual({
      tenant: '1',
      client_id: 'client',
      post_logout_redirect_uri: `${home}/auth/logout/fake`,
    });
    expect(JSON.parse(Buffer.from(hint.split('.')[1] ?? '', 'base64url').toString())).toMatchObject({ sid: 's1' });
    expect(state).toMatch(/^ey/);
    expect(await app.session()).toBeNull();
    expect(records.dump().records).toEqual([]);
    expect(app.events.map(([name]) => name)).toContain('signOut');
    expect(provider.count()).toBeGreaterThan(0);
    expect([app.log.errors, app.log.warnings]).toEqual([[], []]);
  });

  it('without records, and then without the ID token', async () => {
    const { app, signIn } = scene({ config: withoutRecords });
    await signIn();
    const page = await signOutTo(app);
    expect(page.redirect?.hostname).toBe('idp.test');
    expect(page.redirect?.searchParams.has('id_token_hint')).toBe(false);
    expect(await app.session()).toBeNull();
  });

  it('without the ID token if it has more than 4,096 characters', async () => {
    const { app, provider } = scene();
    provider.misbehave({ idToken: { claims: { more: 'a'.repeat(4096) } } });
    await app.signIn();
    const page = await signOutTo(app);
    expect(page.redirect?.hostname).toBe('idp.test');
    expect(page.redirect?.searchParams.has('id_token_hint')).toBe(false);
  });

  it('in JSON for a script', async () => {
    const { app, signIn } = scene();
    await signIn();
    const headers = { 'x-auth-return-redirect': '1' };
    const page = await app.browser.post('/auth/signout', { csrfToken: await app.csrfToken() }, { headers });
    expect(page.json<{ url: string }>().url).toMatch(/^https:\/\/idp\.test\/end-session\?/);
  });

  it('for a call on the server, unless it has `provider: false`', async () => {
    for (const provider of [undefined, false]) {
      const { app, signIn } = scene();
      await signIn();
      const { name, value } = app.browser.cookies.all().find((one) => one.name.includes('session-token')) ?? {
        name: '',
        value: '',
      };
      const host = {
        origin: home,
        headers: new Headers({ cookie: `${name}=${value}` }),
        setCookie: () => undefined,
        redirect: (url: string): never => {
          throw new Error(url);
        },
      };
      const { redirect } = await signOut({ config: app.config, call: {} }, host, {
        redirect: false,
        redirectTo: '/bye',
        provider,
      });
      expect(new URL(redirect).host).toBe(provider === false ? 'localhost:3000' : 'idp.test');
    }
  });
});

it('a sign-out ends the session if the field `provider` is an object that cannot become a text', async () => {
  const made = scene();
  const { app } = made;
  await signedIn(made);
  const fields = { csrfToken: await app.csrfToken(), provider: { toString: 1 } };
  await app.browser.post('/auth/signout', fields, { json: true });
  expect(await app.session()).toBeNull();
});

describe('a sign-out stays local', () => {
  it.each(['false', false])('if the form has the field `provider` with the value %j', async (provider) => {
    const made = scene();
    const { app } = made;
    await signedIn(made);
    await expectLocal(app, await signOutTo(app, { provider }));
  });

  it.each<[string, Record<string, unknown>, string]>([
    ['has no endpoint', { end_session_endpoint: undefined }, 'has no end_session_endpoint'],
    ['has an http endpoint', { end_session_endpoint: 'http://idp.test/end' }, 'must be an https URL'],
    ['has an endpoint that is not an address', { end_session_endpoint: 'javascript:alert(1)' }, 'must be an https URL'],
    ['has a list of endpoints', { end_session_endpoint: [ENDPOINT] }, 'must be an https URL'],
  ])('with a warning if the metadata of the provider %s', async (_, json, words) => {
    const made = scene();
    const { app, provider } = made;
    provider.misbehave({ discovery: { json } });
    await signedIn(made);
    await expectLocal(app, await signOutTo(app));
    expect(app.log.warnings).toEqual([['no-end-session-endpoint', expect.stringContaining(words)]]);
    expect(app.log.errors).toEqual([]);
  });

  it('with a warning if the metadata cannot be fetched', async () => {
    const made = scene();
    const { app, provider } = made;
    const { authorization, token, userinfo, jwks: jwks_endpoint } = provider.endpoints;
    const client = { id_token_signed_response_alg: 'ES256' };
    app.config.providers[0] = provider.provider({ authorization, token, userinfo, jwks_endpoint, client });
    provider.misbehave({ discovery: { status: 500 } });
    await signedIn(made);
    await expectLocal(app, await signOutTo(app));
    expect(app.log.warnings).toEqual([['no-end-session-endpoint', expect.stringContaining('provider: fake')]]);
  });

  it('if the record store fails: the cookie is cleared, and the failure is logged', async () => {
    const made = scene();
    const { app, records } = made;
    await signedIn(made);
    records.fail('check', { times: 9 });
    const page = await signOutTo(app);
    expect(page.location).toBe(`${home}/bye`);
    expect(app.browser.cookies.all().some(({ name }) => name.includes('session-token'))).toBe(false);
    expect(app.log.types()).toContain('SessionRecordsError');
  });

  it('if the session began at a provider of type "oauth", without a warning', async () => {
    const { app, provider } = scene();
    app.config.providers.push(provider.plainProvider({ id: 'plain' }));
    await app.signIn({ id: 'plain' });
    await expectLocal(app, await signOutTo(app));
    expect([app.log.errors, app.log.warnings]).toEqual([[], []]);
  });

  it('if the provider is not configured any more', async () => {
    const made = scene();
    const { app, provider } = made;
    await signedIn(made);
    app.config.providers[0] = provider.provider({ id: 'other' });
    await expectLocal(app, await signOutTo(app));
  });

  it('if the visitor is not signed in', async () => {
    const { app } = scene();
    await expectLocal(app, await signOutTo(app));
  });
});

describe('a visitor who comes back from the provider', () => {
  async function signedOut(made: Scene, callbackUrl: string): Promise<string> {
    await made.signIn();
    const page = await made.app.post('signout', { callbackUrl });
    return page.redirect?.searchParams.get('state') ?? '';
  }

  const back = (app: App, state: string, id = 'fake'): Promise<Page> =>
    app.open(`/auth/logout/${id}?${new URLSearchParams({ state })}`);

  it('goes to the page that the sign-out named, for 15 minutes', async () => {
    const made = scene();
    const state = await signedOut(made, '/bye?from=app');
    made.app.clock.advance(899);
    const page = await back(made.app, state);
    expect([page.location, page.setCookies]).toEqual([`${home}/bye?from=app`, []]);
    // Sealed values are accepted for 15 seconds more, because the clocks of servers differ.
    made.app.clock.advance(17);
    expect((await back(made.app, state)).location).toBe(home);
  });

  it.each(['https://evil.test/', '//evil.test', '/\\evil.test', `${home}.evil.test/`, 'javascript:alert(1)'])(
    'stays on the site if the sign-out named %s',
    async (callbackUrl) => {
      const made = scene();
      const { location = '' } = await back(made.app, await signedOut(made, callbackUrl));
      expect(new URL(location).origin).toBe(home);
    },
  );

  it('goes to the root if the sign-out named an address of more than 512 characters', async () => {
    const made = scene();
    const page = await back(made.app, await signedOut(made, `/${'a'.repeat(600)}`));
    expect(page.location).toBe(home);
  });

  it.each<[string, (state: string) => string]>([
    ['is missing', () => ''],
    ['is an address', () => 'https://evil.test/'],
    ['was changed', (state) => `${state.slice(0, -2)}xx`],
  ])('goes to the root if `state` %s', async (_, change) => {
    const made = scene();
    const page = await back(made.app, change(await signedOut(made, '/bye')));
    expect([page.status, page.location]).toEqual([302, home]);
    expect(made.app.log.errors).toEqual([]);
  });

  it('goes to the root if `state` is that of another provider, another site, or of a sign-in', async () => {
    const made = scene();
    const { app, provider } = made;
    app.config.providers.push(provider.provider({ id: 'other' }));
    const state = await signedOut(made, '/bye');
    expect((await back(app, state, 'other')).location).toBe(home);
    const site = application({ config: app.config, provider, clock: app.clock, origin: 'https://other.test' });
    const page = await site.open(`/auth/logout/fake?${new URLSearchParams({ state })}`);
    expect(page.location).toBe('https://other.test');
    const started = await app.startSignIn('fake', { callbackUrl: '/inside' });
    expect((await back(app, started.redirect?.searchParams.get('state') ?? '')).location).toBe(home);
  });

  it('finds an unknown address without the option', async () => {
    const made = scene();
    const state = await signedOut(made, '/bye');
    for (const logout of [undefined, { backchannel: true }]) {
      const app = application({ config: { ...made.app.config, logout }, provider: made.provider });
      const page = await back(app, state);
      expect([page.status, page.location]).toEqual([400, undefined]);
    }
  });
});
