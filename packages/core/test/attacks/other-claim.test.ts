import { application, type MemoryAdapter, memoryAdapter } from '@latchkey/testing';
import { describe, expect, it } from 'vitest';
import type { OIDCConfig } from '../../src/providers/oauth.ts';
import type { Profile } from '../../src/types/user.ts';

const VICTIM = 'victim@example.com';

/** The attacker has proven an own address at the provider, and has typed the victim's as user name. */
const mallory = { sub: 'mallory', email: 'mallory@evil.example', email_verified: true, preferred_username: VICTIM };

/** An application that takes the address from the user name, and links by address. */
function makeSite(options: Partial<OIDCConfig<Profile>> = {}, adapter?: MemoryAdapter) {
  return application({
    ...(adapter && { adapter }),
    config: ({ provider }) => ({
      providers: [
        provider.provider({
          allowDangerousEmailAccountLinking: true,
          profile: ({ sub, preferred_username }) => ({ id: String(sub), email: String(preferred_username) }),
          ...options,
        }),
      ],
    }),
  });
}

async function siteOfVictim(options?: Partial<OIDCConfig<Profile>>) {
  const adapter = memoryAdapter() as MemoryAdapter;
  await adapter.createUser({ id: 'victim', email: VICTIM, emailVerified: new Date() });
  return makeSite(options, adapter);
}

describe('the claim `email_verified`', () => {
  it('does not verify an address that `profile()` has taken from another claim', async () => {
    const app = await siteOfVictim();
    const page = await app.signIn({ consent: { user: mallory } });
    expect(page.location).toContain('error=');
    expect(await app.session()).toBeNull();
    expect(app.adapter?.dump().accounts).toEqual([]);
  });

  it('does not give such an address to a session without an adapter', async () => {
    const app = makeSite();
    await app.signIn({ consent: { user: mallory } });
    expect((await app.session())?.user?.email ?? null).toBeNull();
  });

  it.each([
    ['the other claim has the same address in other letters', { email: 'Victim@Example.com' }, {}],
    ['the provider vouches for all addresses', {}, { emailVerification: 'always' }],
  ] as const)('verifies the address if %s', async (_, claims, options) => {
    const app = await siteOfVictim(options);
    await app.signIn({ consent: { user: { ...mallory, ...claims } } });
    expect(app.adapter?.dump().accounts).toMatchObject([{ userId: 'victim' }]);
  });
});
