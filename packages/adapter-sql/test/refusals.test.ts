import type { AdapterAccount, AdapterAuthenticator, AdapterUser } from '@latchkey/core/adapters';
import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { type IdType, SqlAdapter } from '../src/index.ts';
import { run } from './engines/things.ts';
import { dialectPlaces, placeOf, places } from './place.ts';
import { ada, bob, github, later, passkey } from './samples.ts';

const session = { sessionToken: 's', userId: 'ada', expires: later };
const token = { identifier: 'i', token: 't', expires: later };
/** Returns a value that the types forbid, and that JavaScript may pass. */
const odd = (value: unknown): never => value as never;

describe.each(dialectPlaces)('values on $name', (kind) => {
  const place = placeOf(kind);
  beforeEach(() => place.adapter.createUser(ada));

  it('that cannot be stored are refused by name, and nothing is written', async () => {
    const { adapter } = place;
    const secret = { toString: () => 'secret' };
    const user = (members: object) => () => adapter.createUser({ ...bob, ...members } as AdapterUser);
    const account = (members: object) => () => adapter.linkAccount({ ...github, ...members } as AdapterAccount);
    const authenticator = (members: object) => () =>
      adapter.createAuthenticator({ ...passkey, ...members } as AdapterAuthenticator);
    const refusals: readonly [name: string, work: () => unknown][] = [
      ['users.email', user({ email: secret })],
      ['users.name', user({ name: ['secret'] })],
      ['users.emailVerified', user({ emailVerified: 'secret' })],
      ['users.emailVerified', user({ emailVerified: new Date(Number.NaN) })],
      ['users.emailVerified', () => adapter.updateUser({ id: 'ada', emailVerified: new Date(9e14) })],
      ['users.name', () => adapter.updateUser({ id: 'ada', name: odd(5) })],
      ['id', user({ id: 5 })],
      ['id', user({ id: secret })],
      ...['1', 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, secret].flatMap((value): typeof refusals => [
        ['accounts.expires_at', account({ expires_at: value })],
        ['authenticators.counter', authenticator({ counter: value })],
        ['accounts.expires_at', () => adapter.updateAccount({ ...github, expires_at: odd(value) })],
        ['authenticators.counter', () => adapter.updateAuthenticatorCounter('credential', odd(value))],
      ]),
      ['accounts.access_token', account({ access_token: secret })],
      ['accounts.provider', account({ provider: undefined })],
      ['accounts.providerAccountId', account({ providerAccountId: null })],
      ['accounts.userId', account({ userId: undefined })],
      ['accounts.providerAccountId', account({ providerAccountId: 5 })],
      ['authenticators.credentialBackedUp', authenticator({ credentialBackedUp: 1 })],
      ['authenticators.credentialID', authenticator({ credentialID: undefined })],
      ['authenticators.userId', authenticator({ userId: null })],
      ['sessions.sessionToken', () => adapter.createSession({ ...session, sessionToken: odd(undefined) })],
      ['sessions.userId', () => adapter.replaceSession('s', { ...session, userId: odd(secret) })],
      ['sessions.expires', () => adapter.createSession({ ...session, expires: odd(1e12) })],
      ['sessions.expires', () => adapter.createSession({ ...session, expires: new Date(Date.UTC(10_000, 0)) })],
      ['sessions.expires', () => adapter.createSession({ ...session, expires: new Date(-9e13) })],
      ['sessions.expires', () => adapter.updateSession({ sessionToken: 's', expires: odd('secret') })],
      ['to must', () => adapter.extendSession({ sessionToken: 's', from: later, to: new Date(-9e13) })],
      ['from is missing', () => adapter.extendSession({ sessionToken: 's', from: odd(undefined), to: later })],
      ['verificationTokens.identifier', () => adapter.createVerificationToken({ ...token, identifier: odd(null) })],
      ['verificationTokens.expires', () => adapter.createVerificationToken({ ...token, expires: odd(undefined) })],
      ['verificationTokens.expires', () => adapter.spendOnce('key', odd('secret'))],
    ];
    for (const [name, work] of refusals) {
      const error = await thrownBy(work);
      expect(error, name).toBeInstanceOf(TypeError);
      expect(String(error)).toMatch(new RegExp(`^TypeError: ${name}`));
      expect(String(error)).not.toContain('secret');
    }
    expect(await place.counts()).toEqual({ auth_users: 1 });
    expect(await adapter.getUser('ada')).toEqual(ada);
  });

  it('at the limits are returned unchanged', async () => {
    const { adapter } = place;
    for (const expires_at of [0, -1, 2 ** 31, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER]) {
      await adapter.linkAccount({ ...github, expires_at });
      expect((await adapter.getAccount('1', 'github'))?.expires_at).toBe(expires_at);
      await adapter.unlinkAccount(github);
    }
    const instants = ['1000-01-01T00:00:00.000Z', '1969-12-31T23:59:59.999Z', '2038-01-19T03:14:08.001Z'];
    for (const text of [...instants, '2024-02-29T00:00:00.010Z', '9999-12-31T23:59:59.999Z']) {
      const expires = new Date(text);
      await adapter.createSession({ ...session, expires });
      expect((await adapter.getSessionAndUser('s'))?.session.expires).toEqual(expires);
      expect(await adapter.extendSession({ sessionToken: 's', from: expires, to: expires })).toBe(true);
      await adapter.deleteSession('s');
    }
    for (const credentialBackedUp of [true, false]) {
      await adapter.createAuthenticator({ ...passkey, credentialID: `${credentialBackedUp}`, credentialBackedUp });
      expect((await adapter.getAuthenticator(`${credentialBackedUp}`))?.credentialBackedUp).toBe(credentialBackedUp);
    }
  });

  it('of other types find no rows', async () => {
    const { adapter } = place;
    await adapter.createSession({ ...session, sessionToken: '0' });
    for (const value of [undefined, null, 0, false, {}, ['0'], Number.NaN, new Date(0), Symbol('0')]) {
      expect(await adapter.getSessionAndUser(odd(value))).toBeNull();
      expect(await adapter.deleteSession(odd(value))).toBeNull();
      expect(await adapter.getUser(odd(value))).toBeNull();
      expect(await adapter.getUserByEmail(odd(value))).toBeNull();
      expect(await adapter.useVerificationToken({ identifier: odd(value), token: odd(value) })).toBeNull();
    }
    expect(await place.counts()).toMatchObject({ auth_sessions: 1 });
  });
});

/** Ids of another type, and ids that a column would cut, round or convert to another id. */
const strangers: Readonly<Record<Exclude<IdType, 'text'>, readonly string[]>> = {
  integer: ['', ' 1', '1 ', '01', '+1', '1.0', '1e0', '0x1', '-1', '2147483648', '1abc', 'null', '１'],
  bigint: ['', ' 1', '1 ', '01', '+1', '1.0', '1e0', '-1', '9223372036854775808', '1n', '1'.repeat(400)],
  uuid: ['', 'x', '1', '{00000000-0000-4000-8000-000000000000}', '00000000000040008000000000000000', 'urn:uuid:1'],
};

describe.each(dialectPlaces)('ids on $name', (kind) => {
  it.each(['integer', 'bigint', 'uuid'] as const)('of the type %s: other ids find no user', async (type) => {
    const opened = await kind.open();
    try {
      const adapter = SqlAdapter(opened.db, { schema: { ids: { type } } });
      const created = await adapter.createUser({ ...ada, id: crypto.randomUUID() });
      expect(await adapter.getUser(created.id)).toEqual(created);
      for (const id of [...strangers[type], `${created.id} `, `${created.id}\0`, `0${created.id}`]) {
        expect(await adapter.getUser(id), id).toBeNull();
        expect(await adapter.deleteUser(id), id).toBeNull();
        expect(await adapter.listAuthenticatorsByUserId(id), id).toEqual([]);
        await expect(async () => adapter.updateUser({ id, name: 'x' })).rejects.toThrow('no user has this id');
        const refused = await thrownBy(() => adapter.createSession({ ...session, userId: id }));
        expect(String(refused)).toBe('TypeError: sessions.userId must be an id of the type that the schema has');
      }
      expect(await adapter.getUser(created.id)).toEqual(created);
    } finally {
      await opened.close();
    }
  });
});

describe.each(places.filter(({ name }) => !name.startsWith('Kysely')))('ids on $name', (kind) => {
  it('that are larger than safe integers keep all digits', async () => {
    const opened = await kind.open();
    try {
      const adapter = SqlAdapter(opened.db, { schema: { ids: { type: 'bigint' } } });
      await adapter.getUser('1');
      const id = '9007199254740993';
      await run(
        opened.engine,
        sql`insert into auth_users (id, name) values (${id}, 'Large'), (9007199254740992, 'Less')`,
      );
      expect(await adapter.getUser(id)).toMatchObject({ id, name: 'Large' });
      const owned = { ...session, userId: id };
      await adapter.createSession(owned);
      expect(await adapter.getSessionAndUser('s')).toMatchObject({ session: owned, user: { id } });
      await adapter.linkAccount({ ...github, userId: id });
      expect(await adapter.getAccount('1', 'github')).toEqual({ ...github, userId: id });
      expect(await adapter.updateUser({ id, image: 'x' })).toMatchObject({ id });
      // PostgreSQL's counter ignores existing ids.
      if (kind.dialect === 'postgres')
        await run(opened.engine, sql`select setval(pg_get_serial_sequence('auth_users', 'id'), 9007199254740994)`);
      const next = await adapter.createUser({ ...ada, id: 'proposed' });
      expect(next.id).toMatch(/^900719925474099[45]$/);
      expect(await adapter.getUser(next.id)).toEqual(next);
      expect(await adapter.deleteUser(id)).toMatchObject({ id });
      expect(await adapter.getUser('9007199254740992')).toMatchObject({ name: 'Less' });
    } finally {
      await opened.close();
    }
  });
});

async function thrownBy(work: () => unknown): Promise<unknown> {
  try {
    await work();
  } catch (error) {
    return error;
  }
  throw new Error(`nothing was thrown by ${work}`);
}
