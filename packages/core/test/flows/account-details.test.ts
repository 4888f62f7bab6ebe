import { type MemoryAdapter, memoryAdapter } from '@latchkey/testing';
import { describe, expect, it } from 'vitest';
import type { Account } from '../../src/types/user.ts';
import { type Door, oneDoor } from './doors.ts';
import { passkeyScene } from './passkey-scene.ts';
import { expectRefused, fakeProvider, oidc, type Scene, scene, startsSession } from './scene.ts';

interface Shop extends Scene {
  readonly adapter: MemoryAdapter;
  readonly fake: ReturnType<typeof fakeProvider>;
  /** The accounts of `linkAccount` events. */
  readonly linked: Account[];
}

function shop(door: Door, provider: Parameters<typeof oidc>[1] = {}): Shop {
  const [adapter, fake, linked] = [memoryAdapter(), fakeProvider(), [] as Account[]];
  const events = { linkAccount: ({ account }: { account: Account }) => void linked.push(account) };
  return { ...scene(door, { providers: [oidc(fake, provider)], adapter, events }), adapter, fake, linked };
}

/** The user at the provider, and the label of the account. */
const labels: [string, Record<string, unknown>, string | undefined][] = [
  ['the address', { email: 'ada@example.com', name: 'Ada' }, 'ada@example.com'],
  ['the name if there is no address', { email: undefined, name: ' Ada 👩‍🚀 ' }, 'Ada 👩‍🚀'],
  ['text that every store can keep', { email: undefined, name: 'A\0d\n\uD800a' }, 'Ada'],
  ['at most 254 characters', { email: undefined, name: '👩'.repeat(300) }, '👩'.repeat(254)],
  ['nothing if there is neither', { email: undefined, name: undefined }, undefined],
];

describe.each(oneDoor)('an account of a store that lists accounts, through $name', (door) => {
  it.each(labels)('has the time of the link, and as its label %s', async (_, user, label) => {
    const before = Date.now();
    const app = shop(door, { unverifiedEmail: 'allow' });
    const consent = { user: { sub: 'ada', email_verified: true, ...user } };
    expect(startsSession(await app.signIn(app.fake, { consent }))).toBe(true);
    const [account] = app.adapter.dump().accounts;
    expect(account?.label).toBe(label);
    expect(account?.createdAt).toBeInstanceOf(Date);
    expect(Number(account?.createdAt)).toBeGreaterThanOrEqual(before);
    expect(app.linked[0]).not.toHaveProperty('label');
  });

  it('keeps both at later sign-ins, also if the application stores members of these names', async () => {
    const app = shop(door, { account: (tokens) => ({ ...tokens, label: 'of a token', createdAt: 'today' }) });
    await app.signIn(app.fake);
    const [first] = app.adapter.dump().accounts;
    await app.signIn(app.fake, { browser: app.visitor() });
    const [second] = app.adapter.dump().accounts;
    expect(second?.access_token).not.toBe(first?.access_token);
    expect(second).toMatchObject({ label: first?.label, createdAt: first?.createdAt });
    expect(first?.createdAt).toBeInstanceOf(Date);
  });
});

describe.each(oneDoor)('a passkey of a store that changes passkeys, through $name', (door) => {
  it('has the time of its registration, and of its last use, in one call', async () => {
    const app = passkeyScene(door);
    await app.register();
    const [made] = app.adapter.dump().authenticators;
    expect(made).toMatchObject({ createdAt: expect.any(Date) });
    expect(made).not.toHaveProperty('usedAt');
    expect(app.adapter.dump().accounts[0]).toMatchObject({ createdAt: expect.any(Date) });
    expect(app.adapter.dump().accounts[0]).not.toHaveProperty('label');
    await app.enter({ browser: app.visitor() });
    const [used] = app.adapter.dump().authenticators;
    expect(used).toMatchObject({ createdAt: made?.createdAt, usedAt: expect.any(Date), counter: 1 });
    const writes = app.adapter.calls.filter(({ method }) => method.startsWith('updateAuthenticator'));
    expect(writes.map(({ method }) => method)).toEqual(['updateAuthenticator']);
  });

  it('is refused if it is deleted during the sign-in', async () => {
    const adapter = memoryAdapter();
    const app = passkeyScene(door, {}, { adapter: { ...adapter, updateAuthenticator: async () => null } });
    await app.register();
    const browser = app.visitor();
    expectRefused(app, await app.enter({ browser }), 'WebAuthnVerificationError', browser);
  });
});

describe.each(oneDoor)('a store for Auth.js v5, through $name', (door) => {
  it('gets no members that it does not know', async () => {
    const adapter = memoryAdapter({ optional: false });
    const fake = fakeProvider();
    const app = scene(door, { providers: [oidc(fake)], adapter });
    await app.signIn(fake);
    const passkeys = passkeyScene(door, {}, { adapter: adapter as MemoryAdapter });
    await passkeys.register('bob@example.com');
    await passkeys.enter({ browser: passkeys.visitor() });
    for (const row of [...adapter.dump().accounts, ...adapter.dump().authenticators])
      expect(Object.keys(row).filter((name) => /createdAt|usedAt|label/.test(name))).toEqual([]);
    expect(adapter.dump().authenticators[0]?.counter).toBe(1);
  });
});
