import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { setEnvDefaults } from '../../src/config/env.ts';
import { withOptions } from '../../src/config/provider-options.ts';
import { leadsTo, SECRET, sessionCookies, startsSession } from '../flows/scene.ts';
import { expectAccount, expectAuthorizationRequest, expectRefusal, expectUser } from './expectations.ts';
import { type Case, type Fixture, fixtureNames } from './fixture.ts';
import { type Factory, journey, type Setting } from './journey.ts';
import { changed } from './pointer.ts';
import { providerNames, subjects } from './providers.ts';
import { forgeries, troublesOf, without } from './troubles.ts';
import { CLIENT, type Trouble } from './vendor.ts';

const all = await subjects();

// Only a provider's own `fetch` is bounded, and in the application's hands.
beforeEach(() => void vi.stubGlobal('fetch', () => Promise.reject(new Error("asked past the provider's own fetch"))));
afterEach(() => void vi.unstubAllGlobals());

const REFUSED_AT_START = /^\/auth\/signin\?error=OAuthSignin$/;
/** URL after a sign-in whose profile has no valid id. */
const REFUSED = /^\/auth\/signin\?error=(OAuthCallbackError|Callback)$/;
const kinds = ['missing', 'null'] as const;

describe.each(all)('the provider $name', ({ factory, fixture, broken }) => {
  if (broken !== undefined) {
    it('can be loaded, and has a fixture', () => {
      throw broken;
    });
    return;
  }

  it('is made without options, and then has its looks', () => {
    for (const made of [factory(), factory({})]) {
      expect(made).toMatchObject({ id: expect.stringMatching(/^[a-z\d-]+$/), name: expect.stringMatching(/\S/) });
      expect(made['style']).toMatchObject({ brandColor: expect.stringMatching(/^#[\da-f]{3}([\da-f]{3})?$/) });
      expect(withOptions(made as never).id).toBe(made.id);
    }
  });

  it('signs in', () => succeeds(factory, fixture));

  it('signs in with what the environment says of a bare factory', () =>
    succeeds(factory, fixture, {
      entry: (options) => (given: object) => factory({ ...unsaid(options), ...given }) as never,
      config: environment(factory, fixture),
    }));

  it('signs in with what the environment says of a provider that was made without it', () =>
    succeeds(factory, fixture, {
      entry: (options) => factory(unsaid(options)) as never,
      config: environment(factory, fixture),
    }));

  for (const one of fixture.cases ?? []) {
    it(one.title, () => (one.error ? refuses(factory, fixture, one) : deviates(factory, fixture, one)));
  }

  it('does not sign in a user who declines at the provider', async () => {
    const way = journey(factory, { fixture });
    const page = await way.comeBack(await way.start(), fixture.denied ?? { error: 'access_denied' });
    await expectRefusal(way, page);
    expect(way.vendor.missed()).toContain(fixture.token.url);
  });

  for (const { name, trouble, begins, otherwise } of troublesOf(factory, fixture)) {
    if (otherwise) {
      const user = { ...fixture.user, ...otherwise };
      it(`does without an answer when ${name}`, () => succeeds(factory, { ...fixture, user }, { trouble }));
      continue;
    }
    it(`does not sign in when ${name}`, async () => {
      const way = journey(factory, { fixture });
      way.vendor.trouble = trouble;
      const started = await way.start();
      if (!begins) return expectRefusal(way, started, REFUSED_AT_START);
      return expectRefusal(way, await way.comeBack(started));
    });
  }

  for (const [name, change] of forgeries(fixture)) {
    it(`does not sign in by ${name}`, async () => {
      const way = journey(factory, { fixture });
      way.vendor.idToken = change;
      await expectRefusal(way, await way.signIn());
    });
  }

  it.each(kinds)('does not sign in a user whose id is %s', async (kind) => {
    const way = journey(factory, { fixture: without(fixture, fixture.user.id, kind) });
    await expectRefusal(way, await way.signIn(), REFUSED);
  });

  it.each(fixture.user.email ? kinds : [])('does what it should when the address is %s', (kind) => {
    const { withoutEmail = {} } = fixture;
    const silent = without(fixture, fixture.user.email ?? '', kind);
    if (typeof withoutEmail === 'string') return refuses(factory, silent, { title: '', error: withoutEmail });
    return succeeds(
      factory,
      { ...silent, user: { ...fixture.user, email: null, ...withoutEmail } },
      // Without a store, the session has no unverified address.
      { adapter: fixture.emailVerified === false },
    );
  });

  if (fixture.emailVerified === false) {
    it('never links by an address that the vendor does not vouch for', async () => {
      const trusting = { ...fixture, options: { ...fixture.options, allowDangerousEmailAccountLinking: true } };
      const { app, store, signIn } = journey(factory, { fixture: trusting, adapter: true });
      await store.createUser({ id: 'victim', email: fixture.user.email?.toLowerCase() ?? '', emailVerified: null });
      expect(leadsTo(await signIn())).toBe('/auth/signin?error=OAuthCreateAccount');
      expect(sessionCookies(app.browser)).toEqual([]);
    });
  }
});

describe('the fixtures', () => {
  it('are of files of providers, and of nothing else', () => {
    expect(fixtureNames.filter((name) => !providerNames.includes(name))).toEqual([]);
  });

  it.each(['id', 'email'] as const)('have no %s in common', (member) => {
    const values = all.flatMap(({ fixture }) => fixture.user?.[member]?.toLowerCase() ?? []);
    expect(values.filter((value, index) => values.indexOf(value) !== index)).toEqual([]);
  });

  it('belong to providers with ids of their own', () => {
    const ids = all.map(({ factory }) => factory({}).id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });
});

interface Variation extends Omit<Setting, 'fixture'> {
  trouble?: Trouble;
  asks?: Case['asks'];
}

/** The whole way, and everything that is to be seen of it. */
async function succeeds(factory: Factory, fixture: Fixture, variation: Variation = {}): Promise<void> {
  const { trouble, asks, adapter = true, ...setting } = variation;
  const way = journey(factory, { fixture, adapter, ...setting });
  way.vendor.trouble = trouble;
  const started = await way.start();
  expectAuthorizationRequest(started, factory({}).id, fixture, asks);
  const page = await way.comeBack(started);
  expect(way.vendor.problems).toEqual([]);
  expect(way.app.log.errors.map((error) => inspect(error))).toEqual([]);
  expect(leadsTo(page)).toBe('/');
  expect(startsSession(page)).toBe(true);
  if (!trouble) expect(way.vendor.missed(), 'requests that were not made').toEqual([]);
  await expectUser(way, fixture);
  if (adapter) expectAccount(way, factory({}).id, fixture);
}

async function deviates(factory: Factory, fixture: Fixture, one: Case): Promise<void> {
  const varied = vary(fixture, one);
  const user = { ...varied.user, ...one.user };
  await succeeds(factory, { ...varied, user }, one.asks ? { asks: one.asks } : {});
}

async function refuses(factory: Factory, fixture: Fixture, one: Case): Promise<void> {
  const varied = vary(fixture, one);
  const way = journey(factory, { fixture: varied, adapter: true });
  const started = await way.start();
  expectAuthorizationRequest(started, factory({}).id, varied, one.asks);
  const page = one.error === 'AccessDenied' ? 'error' : 'signin';
  await expectRefusal(way, await way.comeBack(started), new RegExp(`^/auth/${page}\\?error=${one.error}$`));
  expect(way.store.dump()).toMatchObject({ users: [], accounts: [] });
}

function vary(fixture: Fixture, { options, change, remove }: Case): Fixture {
  const varied = changed(fixture, change, remove);
  return { ...varied, options: { ...varied.options, ...options } };
}

/** `AUTH_<ID>_ID` and so on; the vendor's `fetch` cannot come from there. */
function environment(factory: Factory, { options }: Fixture): NonNullable<Setting['config']> {
  const name = `AUTH_${factory({}).id.toUpperCase().replaceAll('-', '_')}`;
  const { issuer } = options ?? {};
  const env = {
    AUTH_SECRET: SECRET,
    [`${name}_ID`]: CLIENT.clientId,
    [`${name}_SECRET`]: CLIENT.clientSecret,
    ...(issuer === undefined ? {} : { [`${name}_ISSUER`]: String(issuer) }),
  };
  return (config) => {
    const copy = { ...config };
    setEnvDefaults(env, copy, true);
    return copy;
  };
}

/** Options without what the environment says. */
function unsaid(options: Record<PropertyKey, unknown>): object {
  const { clientId: _, clientSecret: __, issuer: ___, ...rest } = options;
  return rest;
}
