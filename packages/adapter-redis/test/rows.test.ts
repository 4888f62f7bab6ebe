import type { AdapterUser } from '@latchkey/core/adapters';
import { describe, expect, it } from 'vitest';
import { available } from '../../../test/services/index.ts';
import { RedisAdapter, RowNotFound, type Tag, UniqueViolation } from '../src/index.ts';
import { partOf } from '../src/keys.ts';
import { ada, bob, github, later, passkey, rejection } from './samples.ts';
import { subject } from './subject.ts';

const session = { sessionToken: 's', userId: 'ada', expires: later };
const token = { identifier: 'ada@example.com', token: 't', expires: later };

describe.skipIf(!(await available('redis'))).each(['all', 'user'] as const)('rows, tag %s', (tag: Tag) => {
  const redis = subject();
  const adapterOf = (): RedisAdapter => RedisAdapter(redis().client, { prefix: redis().prefix, tag });

  it('are returned with exactly their fields', async () => {
    const adapter = adapterOf();
    expect(await adapter.createUser(ada)).toStrictEqual(ada);
    expect(await adapter.linkAccount(github)).toStrictEqual(github);
    expect(await adapter.createSession(session)).toStrictEqual(session);
    expect(await adapter.createVerificationToken(token)).toStrictEqual(token);
    expect(await adapter.createAuthenticator(passkey)).toStrictEqual(passkey);
    expect(await adapter.getSessionAndUser('s')).toStrictEqual({ session, user: ada });
    expect(await adapter.getUserByAccount(github)).toStrictEqual(ada);
    expect(await adapter.getAccount('1', 'github')).toStrictEqual(github);
    expect(await adapter.updateAccount({ ...github, access_token: 'new', userId: 'bob' })).toBeNull();
    expect(await adapter.updateAccount({ ...github, type: 'email' })).toStrictEqual(github);
    expect(await adapter.updateSession({ sessionToken: 's' })).toStrictEqual(session);
    expect(await adapter.deleteSession('s')).toStrictEqual(session);
    expect(await adapter.useVerificationToken(token)).toStrictEqual(token);
    expect(await adapter.listAuthenticatorsByUserId('ada')).toStrictEqual([passkey]);
    expect(await adapter.updateAuthenticatorCounter(passkey.credentialID, 2)).toStrictEqual({ ...passkey, counter: 2 });
    expect(await adapter.unlinkAccount(github)).toStrictEqual(github);
    expect(await adapter.deleteUser('ada')).toStrictEqual(ada);
    expect(await adapter.deleteUser('ada')).toBeNull();
    expect(await adapter.deleteSession('s')).toBeNull();
    expect(await adapter.unlinkAccount(github)).toBeUndefined();
    expect(await adapter.updateSession(session)).toBeNull();
    expect(await adapter.updateAccount(github)).toBeNull();
  });

  it('have a fixed text, so that other releases can read them', async () => {
    const adapter = adapterOf();
    const owner = partOf('ada');
    await adapter.createUserWithAccount(ada, { provider: 'github', providerAccountId: '1', type: 'oauth' });
    await adapter.createSession(session);
    await adapter.createVerificationToken(token);
    await adapter.createAuthenticator(passkey);
    const expected: Record<string, [mark: string, members: object, dates: string[]]> = {
      user: ['- 1', ada, ['emailVerified']],
      email: [`${owner} *`, { id: 'ada' }, []],
      account: [`${owner} *`, { provider: 'github', providerAccountId: '1', type: 'oauth', userId: 'ada' }, []],
      session: [`${owner} ${later.getTime()}`, { userId: 'ada' }, []],
      token: [`- ${later.getTime()}`, { identifier: token.identifier, token: 't' }, []],
      authenticator: [`${owner} *`, passkey, []],
    };
    for (const [kind, [start, members, dates]] of Object.entries(expected)) {
      const [key = ''] = (await redis().keys()).filter((name) =>
        name.replace('{latchkey}:', '').startsWith(`${kind}:`),
      );
      const text = String(await redis().send('GET', redis().prefix + key));
      const [, head = '', json = ''] = /^(\S+ \S+) (.*)$/.exec(text) ?? [];
      // The mark of a reservation is a random number.
      expect(start.endsWith('*') ? head.replace(/\d+$/, '*') : head, kind).toBe(start);
      expect(JSON.parse(json), kind).toEqual(JSON.parse(JSON.stringify([members, dates])));
    }
  });

  it('of tokens that an earlier release stored without a list can be used', async () => {
    const adapter = adapterOf();
    await adapter.createVerificationToken(token);
    const [list = ''] = (await redis().keys()).filter((key) => key.replace('{latchkey}:', '').startsWith('tokens:'));
    await redis().send('DEL', redis().prefix + list);
    await adapter.deleteVerificationTokens(token);
    expect(await adapter.useVerificationToken(token)).toStrictEqual(token);
  });

  it('keep further members of users and accounts', async () => {
    const adapter = adapterOf();
    const more = {
      role: 'admin',
      age: 36,
      born: new Date('1815-12-10T00:00:00.001Z'),
      tags: ['a', { b: null }],
      x: null,
    };
    const user: AdapterUser = { ...ada, ...more, ['__proto__' as string]: undefined };
    await adapter.createUser(user);
    const account = { ...github, refresh_token_expires_in: 5 };
    await adapter.linkAccount(account);
    await adapter.updateUser({ id: 'ada', name: 'Countess' });
    expect(await adapter.getUser('ada')).toStrictEqual({ ...ada, ...more, name: 'Countess' });
    expect(await adapter.getAccount('1', 'github')).toStrictEqual(account);
  });

  it('leave out further members of sessions, tokens and authenticators', async () => {
    const adapter = adapterOf();
    await adapter.createUser(ada);
    expect(await adapter.createSession({ ...session, more: 1 } as typeof session)).toStrictEqual(session);
    expect(await adapter.createVerificationToken({ ...token, more: 1 } as typeof token)).toStrictEqual(token);
    expect(await adapter.createAuthenticator({ ...passkey, more: 1 } as typeof passkey)).toStrictEqual(passkey);
    expect(await adapter.getSessionAndUser('s')).toStrictEqual({ session, user: ada });
    expect(await adapter.useVerificationToken(token)).toStrictEqual(token);
    expect(await adapter.getAuthenticator(passkey.credentialID)).toStrictEqual(passkey);
  });

  it('have the id that core made, or a new one', async () => {
    const adapter = adapterOf();
    const { id: _, ...withoutId } = bob;
    const created = await adapter.createUser(withoutId as typeof bob);
    expect(created.id).toMatch(/^[0-9a-f]{8}-[0-9a-f-]{27}$/);
    expect(await adapter.getUserByEmail('bob@example.com')).toEqual(created);
    await adapter.createUser(ada);
    await expect(adapter.createUser({ ...ada, email: 'other@example.com' })).rejects.toThrow(
      'a row with the same key exists (user.id)',
    );
    expect(await adapter.getUserByEmail('other@example.com')).toBeNull();
  });

  it('have a null address if the provider returned none, or an empty one', async () => {
    const adapter = adapterOf();
    for (const email of [undefined, null, '', '']) {
      const { id } = await adapter.createUser({ ...ada, id: crypto.randomUUID(), email: email as string });
      expect((await adapter.getUser(id))?.email).toBeNull();
    }
    expect((await redis().keys()).filter((key) => key.includes('email'))).toEqual([]);
    expect(await adapter.getUserByEmail('')).toBeNull();
    expect(await adapter.getUserByEmail(null as unknown as string)).toBeNull();
  });

  it('release the old address of a user', async () => {
    const adapter = adapterOf();
    await adapter.createUser(ada);
    await adapter.updateUser({ id: 'ada', email: 'countess@example.com' });
    expect(await adapter.getUserByEmail('ada@example.com')).toBeNull();
    expect((await adapter.getUserByEmail('countess@example.com'))?.id).toBe('ada');
    await adapter.createUser({ ...bob, email: 'ada@example.com' });
    await adapter.updateUser({ id: 'ada', email: null as unknown as string });
    expect(await adapter.getUserByEmail('countess@example.com')).toBeNull();
    await adapter.updateUser({ id: 'bob', email: 'countess@example.com' });
    expect((await adapter.getUserByEmail('countess@example.com'))?.id).toBe('bob');
    expect((await redis().keys()).filter((key) => key.includes('email'))).toHaveLength(1);
  });

  it('require that their user exists', async () => {
    const adapter = adapterOf();
    for (const work of [
      () => adapter.linkAccount(github),
      () => adapter.createSession(session),
      () => adapter.replaceSession('old', session),
      () => adapter.createAuthenticator(passkey),
      () => adapter.updateUser({ id: 'ada', name: 'Ada' }),
      () => adapter.updateUser({ id: null as unknown as string, name: 'Ada' }),
      () => adapter.updateAuthenticatorCounter('none', 1),
      () => adapter.updateAuthenticatorCounter('\uD800', 1),
    ])
      expect(await rejection(work)).toBeInstanceOf(RowNotFound);
    expect(await redis().keys()).toEqual([]);
  });

  it('report which member is taken, without its value', async () => {
    const adapter = adapterOf();
    await adapter.createUser(ada);
    await adapter.createUser(bob);
    await adapter.linkAccount(github);
    await adapter.createSession(session);
    await adapter.createVerificationToken(token);
    await adapter.createAuthenticator(passkey);
    for (const [what, work] of [
      ['user.email', () => adapter.createUser({ ...ada, id: 'x' })],
      ['user.email', () => adapter.updateUser({ id: 'bob', email: ada.email })],
      ['account.providerAccountId', () => adapter.linkAccount({ ...github, userId: 'bob' })],
      ['account.providerAccountId', () => adapter.createUserWithAccount({ ...bob, id: 'x', email: 'x' }, github)],
      ['session.sessionToken', () => adapter.createSession({ ...session, userId: 'bob' })],
      ['verificationToken.token', () => adapter.createVerificationToken(token)],
      ['authenticator.credentialID', () => adapter.createAuthenticator({ ...passkey, userId: 'bob' })],
    ] as const) {
      const error = await rejection(work);
      expect(error, what).toBeInstanceOf(UniqueViolation);
      expect(error).toMatchObject({
        name: 'UniqueViolation',
        message: `a row with the same key exists (${what})`,
      });
    }
    expect(await adapter.getUserByEmail('x')).toBeNull();
    expect(await adapter.getUser('x')).toBeNull();
  });

  it('of unlinked accounts and deleted sessions leave no keys', async () => {
    const adapter = adapterOf();
    await adapter.createUser(ada);
    const before = await redis().keys();
    await adapter.linkAccount(github);
    await adapter.createSession(session);
    await adapter.unlinkAccount(github);
    await adapter.deleteSession('s');
    // With several steps the list of accounts stays until the user is deleted.
    const after = (await redis().keys()).filter((key) => tag === 'all' || !key.startsWith('accounts:'));
    expect(after).toEqual(before);
  });

  it('that were refused are not in the lists of the user', async () => {
    const adapter = adapterOf();
    for (const user of [ada, bob]) await adapter.createUser(user);
    await adapter.createAuthenticator(passkey);
    await adapter.linkAccount(github);
    await rejection(() => adapter.createAuthenticator({ ...passkey, userId: 'bob' }));
    await rejection(() => adapter.linkAccount({ ...github, userId: 'bob' }));
    expect(await adapter.listAuthenticatorsByUserId('bob')).toEqual([]);
    await adapter.deleteUser('bob');
    expect(await adapter.getAuthenticator(passkey.credentialID)).toStrictEqual(passkey);
    expect(await adapter.getAccount('1', 'github')).toStrictEqual(github);
  });

  it('can replace themselves', async () => {
    const adapter = adapterOf();
    await adapter.createUser(ada);
    await adapter.createSession(session);
    const longer = { ...session, expires: new Date(later.getTime() + 1) };
    expect(await adapter.replaceSession('s', longer)).toStrictEqual(longer);
    expect((await adapter.getSessionAndUser('s'))?.session).toStrictEqual(longer);
  });

  it('can be moved to another user', async () => {
    const adapter = adapterOf();
    for (const user of [ada, bob]) await adapter.createUser(user);
    await adapter.createSession(session);
    expect(await adapter.updateSession({ sessionToken: 's', userId: 'bob' })).toStrictEqual({
      ...session,
      userId: 'bob',
    });
    await adapter.deleteUser('ada');
    expect((await adapter.getSessionAndUser('s'))?.user).toStrictEqual(bob);
    await adapter.deleteUser('bob');
    expect(await redis().keys()).toEqual([expect.stringMatching(/expiring/)]);
  });

  it('of a user are deleted with the user, and no others', async () => {
    const adapter = adapterOf();
    for (const user of [ada, bob]) await adapter.createUser(user);
    await adapter.createSession({ ...session, sessionToken: 'of bob', userId: 'bob' });
    const others = await redis().keys();
    await adapter.linkAccount(github);
    await adapter.createAuthenticator(passkey);
    for (const sessionToken of ['1', '2', '3']) await adapter.createSession({ ...session, sessionToken });
    await adapter.deleteUser('ada');
    const kept = (await redis().keys()).filter((key) => !key.includes('expiring'));
    expect(kept).toHaveLength(others.filter((key) => !key.includes('expiring')).length - 2);
    expect(kept.every((key) => others.includes(key))).toBe(true);
  });

  it('of a user who was deleted directly in Redis can be replaced', async () => {
    const adapter = adapterOf();
    await adapter.createUser(ada);
    await adapter.linkAccount(github);
    await adapter.createAuthenticator(passkey);
    await adapter.createSession(session);
    const [user] = (await redis().keys()).filter((key) => /(^|:)user:/.test(key));
    await redis().send('DEL', redis().prefix + user);
    expect(await adapter.getUserByEmail(ada.email)).toBeNull();
    expect(await adapter.getUserByAccount(github)).toBeNull();
    expect(await adapter.getAccount('1', 'github')).toBeNull();
    expect(await adapter.getAuthenticator(passkey.credentialID)).toBeNull();
    expect(await adapter.listAuthenticatorsByUserId('ada')).toEqual([]);
    expect(await adapter.getSessionAndUser('s')).toBeNull();
    const { userId: _, ...account } = github;
    const created = await adapter.createUserWithAccount({ ...bob, email: ada.email }, account);
    expect(await adapter.getUserByEmail(ada.email)).toStrictEqual(created);
    expect(await adapter.getUserByAccount(github)).toStrictEqual(created);
    await adapter.createAuthenticator({ ...passkey, userId: 'bob' });
    expect((await adapter.getAuthenticator(passkey.credentialID))?.userId).toBe('bob');
  });
});
