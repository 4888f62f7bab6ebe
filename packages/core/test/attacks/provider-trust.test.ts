import { describe, expect, it } from 'vitest';
import type { AdapterUser } from '../../src/adapters.ts';
import MicrosoftEntraID from '../../src/providers/microsoft-entra-id.ts';
import type { AuthConfig } from '../../src/types.ts';
import { leadsTo, startsSession } from '../flows/scene.ts';
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

/** Entra's metadata of `common`; the visitor comes from the attacker's tenant, whose administrator wrote the victim's address. */
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

async function givesUser(way: Journey, email: string): Promise<AdapterUser> {
  return way.store.createUser({ id: crypto.randomUUID(), email, emailVerified: new Date() });
}

describe('an address that its provider calls unverified', () => {
  it('is not waiting for its owner, who would share the account with whoever came first (mailed link)', async () => {
    const links: string[] = [];
    const mail = {
      id: 'mail',
      name: 'Mail',
      type: 'email' as const,
      sendVerificationRequest: ({ url }: { url: string }) => void links.push(url),
    };
    const way = journey(entraFactory, {
      fixture: anyTenant({}, commonAddress),
      adapter: true,
      config: (config): AuthConfig => ({ ...config, providers: [...config.providers, mail] }),
    });
    await way.signIn();
    const attackers = [...way.store.store.accounts.values()][0]?.userId;
    const victim = way.app.visitor();
    await way.app.post('signin/mail', { email: VICTIM }, victim);
    await way.app.finish(links[0] ?? '', victim);
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

describe('Entra lets nobody of another tenant in', () => {
  it('where the issuer is one tenant and the metadata are those of all', async () => {
    const options = { issuer: `${login}/${OWN_TENANT}/v2.0`, wellKnown: commonAddress };
    const way = journey(entraFactory, { fixture: anyTenant(options, commonAddress), adapter: true });
    expect(startsSession(await way.signIn())).toBe(false);
  });

  it.each(['Common', 'ORGANIZATIONS'])('and believes nobody the address, however `%s` is written', async (tenant) => {
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
  it.each(['kakao', 'gitlab', 'github'])('is nobody (%s)', async (file) => {
    const fixture = changed(readFixture(file), { '/userinfo/0/answer/id': 2 ** 53 });
    const way = journey(await factoryOf(file), { fixture });
    const page = await way.signIn();
    expect(leadsTo(page)).toContain('error=');
    expect(startsSession(page)).toBe(false);
  });
});
