import { type MemoryAdapter, MemorySessionRecords, memoryAdapter, SoftwareAuthenticator } from '@latchkey/testing';
import { describe, expect, it } from 'vitest';
import type { EmailConfig } from '../../src/providers/email.ts';
import type { OIDCConfig } from '../../src/providers/oauth.ts';
import Passkey from '../../src/providers/passkey.ts';
import type { WebAuthnConfig } from '../../src/providers/webauthn.ts';
import type { AuthConfig } from '../../src/types/config.ts';
import type { Profile } from '../../src/types/user.ts';
import { type Door, oneDoor } from '../flows/doors.ts';
import { type PasskeyScene, passkeyScene } from '../flows/passkey-scene.ts';
import { fakeProvider, oidc, startsSession } from '../flows/scene.ts';

const OWNER = 'owner@example.com';
const SESSION = 'authjs.session-token';
const owner = { sub: 'owner', email: OWNER, email_verified: true };

/**
 * An application that has just got its email provider. An attacker has registered a passkey under the owner's address
 * before, and `attacker` is signed in.
 */
async function waitingPasskey(
  door: Door,
  adapter: MemoryAdapter = memoryAdapter(),
  linking: Partial<OIDCConfig<Profile>> = {},
  { passkey = {}, ...config }: Partial<AuthConfig> & { passkey?: Partial<WebAuthnConfig> } = {},
) {
  const links: string[] = [];
  const mail: EmailConfig = {
    id: 'mail',
    name: 'Mail',
    type: 'email',
    sendVerificationRequest: ({ url }) => void links.push(url),
  };
  const fake = fakeProvider();
  const secret = crypto.randomUUID();
  const before = passkeyScene(door, passkey, { adapter, config: { secret, ...config } });
  const authenticator = new SoftwareAuthenticator();
  const registering = before.visitor();
  await before.register(OWNER, { browser: registering, authenticator });
  const [waiting] = adapter.dump().users;
  expect(waiting).toMatchObject({ email: OWNER, emailVerified: null });
  const providers: AuthConfig['providers'] = [
    Passkey(passkey),
    mail,
    oidc(fake, { allowDangerousEmailAccountLinking: true, ...linking }),
  ];
  const app = passkeyScene(door, passkey, { adapter, config: { secret, ...config, providers } });
  const attacker = app.visitor();
  for (const { name, value } of registering.cookies.all()) attacker.cookies.set(name, value);
  const attack = () => app.enter({ browser: app.visitor(), authenticator });
  const followLink = async (browser = app.browser) => {
    await app.post('signin/mail', { email: OWNER }, browser);
    return app.finish(links.at(-1) ?? '', browser);
  };
  return { app, fake, adapter, attacker, attack, followLink, authenticator };
}

/** The user whose session the browser has. */
async function userIn(app: PasskeyScene, adapter: MemoryAdapter): Promise<string | undefined> {
  const cookie = app.browser.cookies.get(SESSION);
  return [...adapter.store.sessions.values()].find(({ sessionToken }) => sessionToken === cookie?.value)?.userId;
}

describe.each(oneDoor)("a passkey that waits under another person's address, through $name", (door) => {
  it('does not sign in any more when the owner has followed a mailed link', async () => {
    const { app, adapter, attack, followLink } = await waitingPasskey(door);
    expect(startsSession(await attack())).toBe(true);
    expect(startsSession(await followLink())).toBe(true);
    expect(await userIn(app, adapter)).toBe(adapter.dump().users[0]?.id);
    expect(startsSession(await attack())).toBe(false);
    const [user] = adapter.dump().users;
    expect(user).toMatchObject({ email: OWNER, emailVerified: expect.any(Date) });
    expect(adapter.dump()).toMatchObject({ accounts: [], authenticators: [] });
    expect(app.told).toContainEqual([
      'updateUser',
      { user: expect.objectContaining({ email: OWNER }), removedPasskeys: 1 },
    ]);
  });

  it('does not sign in any more when a provider with a verified address has linked to its user', async () => {
    const { app, fake, adapter, attack } = await waitingPasskey(door);
    expect(startsSession(await app.signIn(fake, { consent: { user: owner } }))).toBe(true);
    expect(startsSession(await attack())).toBe(false);
    expect(adapter.dump()).toMatchObject({
      users: [{ email: OWNER, emailVerified: expect.any(Date) }],
      accounts: [{ provider: 'fake' }],
      authenticators: [],
    });
  });

  it('stays if the linking provider does not tell whether the address is verified', async () => {
    const { app, fake, adapter } = await waitingPasskey(door);
    fake.overrides.idToken = { claims: ({ email_verified: _, ...claims }) => claims };
    await app.signIn(fake, { consent: { user: owner } });
    expect(adapter.dump()).toMatchObject({ users: [{ emailVerified: null }], authenticators: [{}] });
  });

  it('is removed from a store that cannot delete its row, and is not offered to browsers', async () => {
    const adapter = memoryAdapter({ optional: false }) as unknown as MemoryAdapter;
    const { app, attack, followLink } = await waitingPasskey(door, adapter);
    await followLink();
    expect(adapter.dump()).toMatchObject({ accounts: [], authenticators: [{}] });
    expect(startsSession(await attack())).toBe(false);
    const signedIn = await app.options({ action: 'register' });
    expect(signedIn.options.excludeCredentials ?? []).toEqual([]);
    const offered = await app.options({ email: OWNER, action: 'authenticate' }, app.visitor());
    const ids = (offered.options.allowCredentials ?? []).map(({ id }) => id);
    expect(ids).not.toContain(
      Buffer.from(adapter.dump().authenticators[0]?.credentialID ?? '', 'base64').toString('base64url'),
    );
    expect(ids.length).toBeGreaterThan(0);
  });

  it('keeps working, with a warning, if the store can neither unlink nor delete it', async () => {
    const { unlinkAccount: _, deleteAuthenticator: __, ...rest } = memoryAdapter();
    const { app, attack, followLink } = await waitingPasskey(door, rest as unknown as MemoryAdapter);
    expect(startsSession(await followLink())).toBe(true);
    expect(startsSession(await attack())).toBe(true);
    expect(app.log.warnings).toContainEqual(['passkeys-not-removed']);
  });

  it.each([
    ['JWT sessions with records', { strategy: 'jwt', records: { store: MemorySessionRecords() } }],
    ['database sessions with records', { strategy: 'database', records: { store: MemorySessionRecords() } }],
    ['database sessions', { strategy: 'database' }],
  ] as const)('takes the sessions that it started with it: %s', async (_, session) => {
    const { app, adapter, attacker, followLink } = await waitingPasskey(door, memoryAdapter(), undefined, { session });
    expect(await app.session(attacker)).not.toBeNull();
    expect(startsSession(await followLink())).toBe(true);
    app.clock.advance(11);
    expect(await app.session()).toMatchObject({ user: { email: OWNER } });
    expect(await app.session(attacker)).toBeNull();
    expect((await app.ask({ action: 'register' }, attacker)).status).toBe(400);
    expect(adapter.dump().authenticators).toEqual([]);
  });

  it('leaves the address unproven if its sessions cannot be ended, so that the next link tries again', async () => {
    const { app, adapter, attacker, followLink } = await waitingPasskey(door);
    adapter.fail('deleteSessionsByUserId');
    expect(startsSession(await followLink())).toBe(false);
    expect(adapter.dump().users).toMatchObject([{ emailVerified: null }]);
    expect(startsSession(await followLink())).toBe(true);
    expect(await app.session(attacker)).toBeNull();
  });

  it('leaves the address unproven if it cannot be removed, so that the next link tries again', async () => {
    const { adapter, attack, followLink } = await waitingPasskey(door);
    adapter.fail('unlinkAccount');
    expect(startsSession(await followLink())).toBe(false);
    expect(adapter.dump().users).toMatchObject([{ emailVerified: null }]);
    expect(startsSession(await followLink())).toBe(true);
    expect(startsSession(await attack())).toBe(false);
  });

  it('leaves the address unproven if the store cannot list it', async () => {
    const { adapter, attack, followLink } = await waitingPasskey(door);
    adapter.fail('listAuthenticatorsByUserId');
    expect(startsSession(await followLink())).toBe(false);
    expect(adapter.dump()).toMatchObject({ users: [{ emailVerified: null }], authenticators: [{}] });
    expect(startsSession(await followLink())).toBe(true);
    expect(startsSession(await attack())).toBe(false);
  });

  it('is removed if its provider has another id, and the store cannot delete its row', async () => {
    const adapter = memoryAdapter({ optional: false }) as unknown as MemoryAdapter;
    const { attack, followLink } = await waitingPasskey(door, adapter, {}, { passkey: { id: 'keys' } });
    expect(startsSession(await attack())).toBe(true);
    await followLink();
    expect(adapter.dump().accounts).toEqual([]);
    expect(startsSession(await attack())).toBe(false);
  });

  it('is removed although its browser has a session, if the application has ended that session', async () => {
    let isEnded = false;
    const { attacker, attack, followLink } = await waitingPasskey(door, memoryAdapter(), undefined, {
      session: { strategy: 'jwt' },
      callbacks: { jwt: ({ token, trigger }) => (isEnded && trigger === undefined ? null : token) },
    });
    isEnded = true;
    expect(startsSession(await followLink(attacker))).toBe(true);
    expect(startsSession(await attack())).toBe(false);
  });

  it('does not take an account of another user with it', async () => {
    const { adapter, followLink } = await waitingPasskey(door);
    await adapter.createUser({ id: 'another', email: 'another@example.com', emailVerified: null });
    for (const account of adapter.store.accounts.values()) account.userId = 'another';
    await followLink();
    expect(adapter.dump()).toMatchObject({ accounts: [{ userId: 'another' }], authenticators: [] });
  });

  it('is removed although a subdomain has set a session of its user in the browser of the owner', async () => {
    const { app, attacker, attack, followLink } = await waitingPasskey(door);
    const planted = attacker.cookies.get(SESSION);
    await app.post('signin/mail', { email: OWNER });
    app.browser.cookies.set(SESSION, planted?.value ?? '');
    await followLink();
    expect(startsSession(await attack())).toBe(false);
  });
});

describe.each(oneDoor)('the passkeys of a user, through $name', (door) => {
  it('stay if the user is signed in when the address is first proven', async () => {
    const { app, adapter, attacker: owner, attack, followLink } = await waitingPasskey(door);
    expect(startsSession(await followLink(owner))).toBe(true);
    expect(adapter.dump()).toMatchObject({ users: [{ emailVerified: expect.any(Date) }], authenticators: [{}] });
    expect(app.told.find(([event]) => event === 'updateUser')?.[1]).not.toHaveProperty('removedPasskeys');
    expect(startsSession(await attack())).toBe(true);
  });

  it('stay if the address was proven before', async () => {
    const { adapter, attacker: owner, attack, followLink } = await waitingPasskey(door);
    await followLink(owner);
    expect(startsSession(await followLink())).toBe(true);
    expect(adapter.dump().authenticators).toHaveLength(1);
    expect(startsSession(await attack())).toBe(true);
  });
});

describe("a first proof in an application without passkeys, whose store another application's passkeys use", () => {
  const [door] = oneDoor as [Door];

  it.each(['passkey', 'webauthn'])('removes those of the provider id %s', async (id) => {
    const contract = memoryAdapter({ optional: false }) as unknown as MemoryAdapter;
    const { adapter, authenticator, app } = await waitingPasskey(door, contract, {}, { passkey: { id } });
    const links: string[] = [];
    const sendVerificationRequest = ({ url }: { url: string }): void => void links.push(url);
    const other = passkeyScene(
      door,
      {},
      { adapter, config: { providers: [{ id: 'mail', name: 'Mail', type: 'email', sendVerificationRequest }] } },
    );
    await other.post('signin/mail', { email: OWNER });
    expect(startsSession(await other.finish(links[0] ?? ''))).toBe(true);
    expect(startsSession(await app.enter({ browser: app.visitor(), authenticator }))).toBe(false);
  });

  it.each([
    ['a table', (adapter: MemoryAdapter) => adapter.fail('listAuthenticatorsByUserId', new Error('no such table'))],
    ['a method', (adapter: MemoryAdapter) => Reflect.deleteProperty(adapter, 'listAuthenticatorsByUserId')],
  ])('does not need %s for them', async (_, omit) => {
    const adapter = memoryAdapter();
    await adapter.createUser({ id: 'owner', email: OWNER, emailVerified: null });
    omit(adapter);
    const links: string[] = [];
    const sendVerificationRequest = ({ url }: { url: string }): void => void links.push(url);
    const app = passkeyScene(
      door,
      {},
      { adapter, config: { providers: [{ id: 'mail', name: 'Mail', type: 'email', sendVerificationRequest }] } },
    );
    await app.post('signin/mail', { email: OWNER });
    expect(startsSession(await app.finish(links[0] ?? ''))).toBe(true);
    expect(adapter.dump().users).toMatchObject([{ emailVerified: expect.any(Date) }]);
    expect(app.told.find(([event]) => event === 'updateUser')?.[1]).not.toHaveProperty('removedPasskeys');
  });
});
