import {
  type Application,
  application,
  MemorySessionRecords,
  type Misbehavior,
  memoryAdapter,
} from '@latchkey/testing';
import { describe, expect, it } from 'vitest';
import Credentials from '../../src/providers/credentials.ts';
import type { AuthConfig } from '../../src/types/config.ts';
import type { SessionRecord } from '../../src/types/session-records.ts';
import { doors } from '../flows/doors.ts';
import { passkeyScene } from '../flows/passkey-scene.ts';
import { OWNER, verificationScene } from '../flows/verification-scene.ts';

type Records = ReturnType<typeof MemorySessionRecords>;

const [door = expect.unreachable()] = doors;

/** Options by which the session says how it began. */
function recorded(store: Records, more: Partial<AuthConfig> = {}): Partial<AuthConfig> {
  return { session: { strategy: 'jwt', records: { store } }, ...more };
}

function newest(store: Records): Partial<SessionRecord> {
  return store.dump().records.at(-1) ?? {};
}

describe('a session says how the visitor signed in:', () => {
  it('credentials are `pwd`', async () => {
    const store = MemorySessionRecords();
    const providers = [Credentials({ authorize: async () => ({ id: '1' }) })];
    const app = application({ config: recorded(store, { providers }) });
    await app.post('callback/credentials');
    expect(newest(store)).toMatchObject({ provider: 'credentials', amr: ['pwd'] });
  });

  it('a mailed link is `otp`', async () => {
    const store = MemorySessionRecords();
    const app = application({ adapter: memoryAdapter(), config: recorded(store) });
    await app.open(await app.mailedLink('ada@example.com'));
    expect(newest(store)).toMatchObject({ provider: 'mail', amr: ['otp'] });
  });

  it.each([
    ['that stays in its device is `hwk`, and `user` if it has verified the person', false, true, ['hwk', 'user']],
    ['that may be copied is `swk`', true, true, ['swk', 'user']],
    ['that has not verified the person lacks `user`', true, false, ['swk']],
  ])('a passkey %s', async (_, backupEligible, userVerified, amr) => {
    const store = MemorySessionRecords();
    const options = { requireUserVerification: false };
    const provider = { verifyRegistrationOptions: options, verifyAuthenticationOptions: options };
    const app = passkeyScene(door, provider, { config: recorded(store) });
    const lies = { flags: { backupEligible, backedUp: backupEligible, userVerified } };
    await app.register('ada@example.com', { lies });
    expect(newest(store)).toMatchObject({ provider: 'passkey', amr });
    await app.post('signout');
    expect(store.dump().records).toEqual([]);
    await app.enter({ lies });
    expect(newest(store)).toMatchObject({ provider: 'passkey', amr });
  });

  it('a new passkey whose address a mail has proven is that passkey', async () => {
    const store = MemorySessionRecords();
    const app = verificationScene(door, { config: recorded(store) });
    await app.register(OWNER);
    await app.type();
    expect(newest(store)).toMatchObject({ provider: 'passkey', amr: ['swk'] });
  });

  it('a provider of type "oauth" says nothing', async () => {
    const store = MemorySessionRecords();
    const app = application({ config: ({ provider }) => recorded(store, { providers: [provider.plainProvider()] }) });
    await app.signIn();
    const { amr, authTime, startedAt, providerSession, providerUser } = newest(store);
    expect([amr, authTime, providerSession, providerUser]).toEqual([[], startedAt, undefined, undefined]);
  });
});

describe('the ID token says how the visitor signed in at the provider:', () => {
  async function signedIn(
    claims: NonNullable<NonNullable<Misbehavior['idToken']>['claims']>,
    more: Partial<AuthConfig> = {},
  ): Promise<{ app: Application; record: Partial<SessionRecord> }> {
    const store = MemorySessionRecords();
    const app = application({ config: recorded(store, more) });
    app.provider.misbehave({ idToken: { claims } });
    await app.signIn();
    expect(app.log.errors).toEqual([]);
    return { app, record: newest(store) };
  }

  it('`amr`, `auth_time`, and hashes of the issuer with `sub` and `sid`', async () => {
    const { record } = await signedIn({ amr: ['mfa', 'otp'], auth_time: 1_700_000_000, sid: 's1' });
    expect(record).toMatchObject({ amr: ['mfa', 'otp'], authTime: new Date(1_700_000_000_000) });
    expect(record.providerSession).toMatch(/^[\w-]{43}$/);
    expect(record.providerUser).toMatch(/^[\w-]{43}$/);
    expect(record.idToken).toBeUndefined();
  });

  it('the token itself is kept, sealed, for the sign-out at the provider only', async () => {
    const { record } = await signedIn({}, { logout: { provider: true } });
    expect(record.idToken).toMatch(/^ey/);
    expect(record.idToken?.split('.')).toHaveLength(5);
  });

  it.each<[string, Record<string, unknown>]>([
    ['an `amr` that is a text', { amr: 'pwd' }],
    ['an `amr` of other values', { amr: [1, null, ['pwd'], {}, '', 'a'.repeat(33), 'line\nbreak'] }],
    ['a `sid` that is a number', { sid: 7 }],
    ['a `sid` that is empty', { sid: '' }],
    ['an `auth_time` in the future', { auth_time: 99_999_999_999 }],
    ['no `auth_time`', { auth_time: undefined }],
  ])('%s does not count, and does not refuse the sign-in', async (_, claims) => {
    const { app, record } = await signedIn({ auth_time: undefined, ...claims });
    expect(await app.session()).not.toBeNull();
    expect([record.amr, record.providerSession, record.authTime]).toEqual([[], undefined, record.startedAt]);
  });

  it('of 10,000 methods, eight are kept', async () => {
    const { app, record } = await signedIn({ amr: Array.from({ length: 10_000 }, (_, index) => `m${index}`) });
    expect(await app.session()).not.toBeNull();
    expect(record.amr).toEqual(['m0', 'm1', 'm2', 'm3', 'm4', 'm5', 'm6', 'm7']);
  });
});
