import { memoryAdapter, SoftwareAuthenticator } from '@latchkey/testing';
import { describe, expect, it } from 'vitest';
import type { EmailConfig } from '../../src/providers/email.ts';
import MicrosoftEntraID from '../../src/providers/microsoft-entra-id.ts';
import Passkey, { type PasskeyUserConfig } from '../../src/providers/passkey.ts';
import type { AdapterUser } from '../../src/types/adapter.ts';
import type { AuthConfig } from '../../src/types/config.ts';
import { oneDoor } from '../flows/doors.ts';
import { passkeyScene } from '../flows/passkey-scene.ts';
import { expectRefused, fakeProvider, leadsTo, oidc, scene, startsSession } from '../flows/scene.ts';
import { type Fixture, readFixture } from '../providers/fixture.ts';
import { type Journey, journey } from '../providers/journey.ts';
import { changed } from '../providers/pointer.ts';
import { factoryOf } from '../providers/providers.ts';

const entraFactory = await factoryOf('microsoft-entra-id');
const entra = readFixture('microsoft-entra-id');
const VICTIM = 'victim@corp.example';
const OWN_TENANT = 'd8b0c7a4-3b5e-4f0c-9a57-6d1f2e3c4b5a';
const EVIL_TENANT = 'aaaabbbb-0000-cccc-1111-dddd2222eeee';
const login = 'https://login.microsoftonline.com';

/** Entra's metadata of `common`. The visitor's tenant is the attacker's, who wrote the victim's address there. */
function anyTenant(options: Record<string, string>, discovery: string): Fixture {
  const { issuer: _, ...rest } = entra.options ?? {};
  const fixture = changed(entra, {
    '/discovery/url': discovery,
    '/discovery/answer/issuer': `${login}/{tenantid}/v2.0`,
    '/idToken/tid': EVIL_TENANT,
    '/idToken/iss': `${login}/${EVIL_TENANT}/v2.0`,
    '/idToken/email': VICTIM,
    '/idToken/preferred_username': VICTIM,
  });
  return { ...fixture, options: { ...rest, ...options } };
}
const commonAddress = `${login}/common/v2.0/.well-known/openid-configuration`;

/** A provider that puts its links into a list. */
function mailInto(links: string[]): EmailConfig {
  const sendVerificationRequest = ({ url }: { url: string }): void => void links.push(url);
  return { id: 'mail', name: 'Mail', type: 'email', sendVerificationRequest };
}

async function givesUser(way: Journey, email: string): Promise<AdapterUser> {
  return way.store.createUser({ id: crypto.randomUUID(), email, emailVerified: new Date() });
}

describe('an address that its provider calls unverified', () => {
  it('creates no user, whom its owner would later share by a mailed link', async () => {
    const links: string[] = [];
    const way = journey(entraFactory, {
      fixture: anyTenant({}, commonAddress),
      adapter: true,
      config: (config): AuthConfig => ({ ...config, providers: [...config.providers, mailInto(links)] }),
    });
    await way.signIn();
    const attackers = [...way.store.store.accounts.values()][0]?.userId;
    const victim = way.app.visitor();
    await way.app.post('signin/mail', { email: VICTIM }, victim);
    await way.app.finish(links.at(-1) ?? '', victim);
    const victims = [...way.store.store.users.values()].find((user) => user.emailVerified !== null)?.id;
    expect(victims).toBeDefined();
    expect(victims).not.toBe(attackers);
  });

  it.each([false, true])('keeps its visitor out where the owner says `refuse` (adapter: %s)', async (adapter) => {
    const way = journey(entraFactory, { fixture: anyTenant({ unverifiedEmail: 'refuse' }, commonAddress), adapter });
    const page = await way.signIn();
    expect(startsSession(page)).toBe(false);
  });
});

describe.each(oneDoor)(
  'an address of unknown status beside a provider that links by address, through $name',
  (door) => {
    it.each<[what: string, others: AuthConfig['providers']]>([
      ['', []],
      ['with an email provider', [mailInto([])]],
    ])('creates no user whom its owner would later share %s', async (_, others) => {
      const [untold, linking] = [fakeProvider(), fakeProvider()];
      const adapter = memoryAdapter();
      const providers = [
        oidc(untold),
        oidc(linking, { id: 'linking', allowDangerousEmailAccountLinking: true }),
        ...others,
      ];
      const app = scene(door, { adapter, providers });
      const attacker = app.visitor();
      const prepared = await app.signIn(untold, {
        browser: attacker,
        consent: { user: { sub: 'eve', email: VICTIM } },
      });
      expect(startsSession(prepared)).toBe(false);
      expect(adapter.dump().users).toEqual([]);
      const owner = { sub: 'ada', email: VICTIM, email_verified: true };
      expect(startsSession(await app.signIn(linking, { id: 'linking', consent: { user: owner } }))).toBe(true);
      expect(adapter.dump().accounts).toMatchObject([{ provider: 'linking' }]);
    });
  },
);

describe.each(oneDoor)('an address that a visitor types for a passkey, through $name', (door) => {
  const fake = fakeProvider();
  const linking = oidc(fake, { allowDangerousEmailAccountLinking: true });
  const site = (others: AuthConfig['providers'], options: PasskeyUserConfig = {}) =>
    passkeyScene(door, {}, { config: { providers: [Passkey(options), ...others] } });

  it('creates no user if a provider links by address, whether or not a user has it', async () => {
    const app = site([linking]);
    await app.adapter.createUser({ id: 'u1', email: 'known@corp.example', emailVerified: new Date() });
    for (const email of [VICTIM, 'known@corp.example']) {
      const browser = app.visitor();
      const authenticator = new SoftwareAuthenticator();
      expectRefused(app, await app.register(email, { browser, authenticator }), 'WebAuthnVerificationError', browser);
    }
    expect(app.adapter.dump()).toMatchObject({ users: [{ id: 'u1' }], accounts: [], authenticators: [], sessions: [] });
    expect(app.log.errors[0]?.message).toContain('`unverifiedEmail: "allow"`');
    expect((await app.visitor().get('/auth/signin')).text()).not.toContain('Create an account');
  });

  it('leaves the owner, who signs in by mail, with a user of their own', async () => {
    const links: string[] = [];
    const app = site([mailInto(links)]);
    const attacker = app.visitor();
    await app.register(VICTIM, { browser: attacker });
    await app.post('signin/mail', { email: VICTIM });
    await app.finish(links.at(-1) ?? '');
    expect(await app.session()).toMatchObject({ user: { email: VICTIM } });
    expect(await app.session(attacker)).toBeNull();
    expect(startsSession(await app.enter({ browser: attacker }))).toBe(false);
    expect(app.adapter.dump()).toMatchObject({ users: [{ email: VICTIM }], authenticators: [] });
  });

  it.each<[what: string, others: AuthConfig['providers'], options: PasskeyUserConfig]>([
    ['no other provider opens users by address', [oidc(fake)], {}],
    ['the option says `allow`', [mailInto([])], { unverifiedEmail: 'allow' }],
  ])('creates a user whose address is not verified if %s', async (_, others, options) => {
    const app = site(others, options);
    expect((await app.visitor().get('/auth/signin')).text()).toContain('Create an account');
    expect(leadsTo(await app.register(VICTIM))).toBe('/');
    expect(app.adapter.dump().users).toMatchObject([{ email: VICTIM, emailVerified: null }]);
  });

  it('creates no user if the option says `refuse`', async () => {
    const app = site([], { unverifiedEmail: 'refuse' });
    expectRefused(app, await app.register(VICTIM), 'WebAuthnVerificationError');
    expect(app.adapter.dump().users).toEqual([]);
  });

  it('does not matter to a user who is signed in, or to one without an address', async () => {
    const links: string[] = [];
    const app = site([mailInto(links)]);
    await app.post('signin/mail', { email: VICTIM });
    await app.finish(links[0] ?? '');
    expect(leadsTo(await app.add())).toBe('/');
    expect(startsSession(await app.enter({ browser: app.visitor() }))).toBe(true);
    const getUserInfo = async () => ({ user: { name: 'ada' }, exists: false as const });
    const nameless = site([mailInto([])], { getUserInfo });
    expect(leadsTo(await nameless.register('ada'))).toBe('/');
  });
});

describe('Entra refuses visitors of another tenant', () => {
  it('where the issuer is one tenant and the metadata is those of all', async () => {
    const options = { issuer: `${login}/${OWN_TENANT}/v2.0`, wellKnown: commonAddress };
    const way = journey(entraFactory, { fixture: anyTenant(options, commonAddress), adapter: true });
    expect(startsSession(await way.signIn())).toBe(false);
  });

  it.each(['Common', 'ORGANIZATIONS'])('and does not trust the address, in any spelling of `%s`', async (tenant) => {
    const issuer = `${login}/${tenant}/v2.0`;
    const options = { issuer };
    const fixture = anyTenant(options, `${issuer}/.well-known/openid-configuration`);
    const linking = { ...fixture, options: { ...options, allowDangerousEmailAccountLinking: true } };
    const way = journey(entraFactory, { fixture: linking, adapter: true });
    const victim = await givesUser(way, VICTIM);
    await way.signIn();
    expect([...way.store.store.accounts.values()].filter(({ userId }) => userId === victim.id)).toEqual([]);
  });

  it('where the tenant is given by the name of the older versions', () => {
    expect(MicrosoftEntraID({ tenantId: OWN_TENANT }).issuer).toBe(`${login}/${OWN_TENANT}/v2.0`);
  });
});

describe('an id that was rounded when it was read', () => {
  it.each(['kakao', 'gitlab', 'github'])('is refused (%s)', async (file) => {
    const fixture = changed(readFixture(file), { '/userinfo/0/answer/id': 2 ** 53 });
    const way = journey(await factoryOf(file), { fixture });
    const page = await way.signIn();
    expect(leadsTo(page)).toContain('error=');
    expect(startsSession(page)).toBe(false);
  });
});
