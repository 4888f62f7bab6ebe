import { describe, expect, it } from 'vitest';
import { available } from '../../../test/services/index.ts';
import { RedisAdapter, type Tag } from '../src/index.ts';
import { ada, bob, github, later, passkey, rejection } from './samples.ts';
import { subject } from './subject.ts';

const session = { sessionToken: 's', userId: 'ada', expires: later };
const token = { identifier: 'ada@example.com', token: 't', expires: later };

describe.skipIf(!(await available('redis'))).each(['all', 'user'] as const)(
  'rows that are refused or not found, tag %s',
  (tag: Tag) => {
    const redis = subject();
    const adapterOf = (): RedisAdapter => RedisAdapter(redis().client, { prefix: redis().prefix, tag });

    it('refuse values that Redis cannot store, and name the member, not the value', async () => {
      const adapter = adapterOf();
      await adapter.createUser(ada);
      const before = await redis().keys();
      const half = 'secret\uD800';
      const never = new Date(Number.NaN);
      const refusals: [() => unknown, string][] = [
        [() => adapter.createUser({ ...bob, email: half }), 'user.email'],
        [() => adapter.createUser({ ...bob, id: half }), 'user.id'],
        [() => adapter.createUser({ ...bob, emailVerified: 'secret' as unknown as Date }), 'user.emailVerified'],
        [() => adapter.createUser({ ...bob, size: 1n } as typeof bob), 'user.size'],
        [() => adapter.createUser({ ...bob, size: () => 'secret' } as typeof bob), 'user.size'],
        [() => adapter.createUser({ ...bob, size: Number.NaN } as typeof bob), 'user.size'],
        [() => adapter.updateUser({ id: 'ada', name: 5 as unknown as string }), 'user.name'],
        [() => adapter.linkAccount({ ...github, access_token: half }), 'account.access_token'],
        [() => adapter.linkAccount({ ...github, expires_at: Number.NaN }), 'account.expires_at'],
        [
          () => adapter.linkAccount({ ...github, provider: undefined as unknown as string }),
          'account.provider is missing',
        ],
        [() => adapter.linkAccount({ ...github, userId: half }), 'account.userId'],
        [() => adapter.updateAccount({ ...github, scope: half }), 'account.scope'],
        [() => adapter.createSession({ ...session, sessionToken: half }), 'session.sessionToken'],
        [() => adapter.createSession({ ...session, expires: never }), 'session.expires'],
        [() => adapter.createSession({ ...session, expires: new Date(9e14) }), 'session.expires'],
        [() => adapter.updateSession({ sessionToken: 's', expires: never }), 'session.expires'],
        [() => adapter.updateSession({ sessionToken: 's', userId: half }), 'session.userId'],
        [() => adapter.extendSession({ sessionToken: 's', from: later, to: new Date(-9e13) }), 'to must'],
        [() => adapter.extendSession({ sessionToken: 's', from: never, to: later }), 'from must'],
        [() => adapter.createVerificationToken({ ...token, identifier: half }), 'verificationToken.identifier'],
        [() => adapter.createVerificationToken({ ...token, expires: never }), 'verificationToken.expires'],
        [() => adapter.createAuthenticator({ ...passkey, credentialID: half }), 'authenticator.credentialID'],
        [
          () => adapter.createAuthenticator({ ...passkey, credentialBackedUp: 'yes' as unknown as boolean }),
          'authenticator.credentialBackedUp',
        ],
        [() => adapter.updateAuthenticatorCounter(passkey.credentialID, Number.NaN), 'authenticator.counter'],
        [() => adapter.spendOnce('k', undefined as unknown as Date), 'expires'],
        [() => adapter.spendOnce(half, later), 'key'],
      ];
      for (const [work, name] of refusals) {
        const error = await rejection(work);
        expect(error, name).toBeInstanceOf(TypeError);
        expect(String(error)).toContain(name);
        expect(String(error)).not.toContain('secret');
      }
      expect(await redis().keys()).toEqual(before);
    });

    it('are not found by values that cannot be stored', async () => {
      const adapter = adapterOf();
      // UTF-8 encodes half of a surrogate pair as U+FFFD.
      const like = 'a\uFFFD';
      await adapter.createUser({ ...ada, id: like, email: like });
      await adapter.linkAccount({ ...github, providerAccountId: like, userId: like });
      await adapter.createSession({ ...session, sessionToken: like, userId: like });
      await adapter.createVerificationToken({ ...token, token: like });
      await adapter.createAuthenticator({ ...passkey, credentialID: like, userId: like });
      for (const odd of ['a\uD800', undefined, null, 5, {}] as unknown as string[]) {
        expect(await adapter.getUser(odd)).toBeNull();
        expect(await adapter.getUserByEmail(odd)).toBeNull();
        expect(await adapter.getUserByAccount({ provider: 'github', providerAccountId: odd })).toBeNull();
        expect(await adapter.getAccount(odd, 'github')).toBeNull();
        expect(await adapter.unlinkAccount({ provider: 'github', providerAccountId: odd })).toBeUndefined();
        expect(await adapter.getSessionAndUser(odd)).toBeNull();
        expect(await adapter.sessions.readSession(odd)).toBeNull();
        expect(await adapter.sessions.deleteSessionsOfUser(odd)).toBe(0);
        expect(await adapter.updateSession({ sessionToken: odd })).toBeNull();
        expect(await adapter.extendSession({ sessionToken: odd, from: later, to: later })).toBe(false);
        expect(await adapter.deleteSession(odd)).toBeNull();
        expect(await adapter.useVerificationToken({ ...token, token: odd })).toBeNull();
        expect(await adapter.getAuthenticator(odd)).toBeNull();
        expect(await adapter.listAuthenticatorsByUserId(odd)).toEqual([]);
        expect(await adapter.deleteUser(odd)).toBeNull();
      }
      expect((await adapter.getUser(like))?.email).toBe(like);
    });

    it('of another program are an error that does not quote them', async () => {
      const adapter = adapterOf();
      await adapter.createUser(ada);
      const [user] = (await redis().keys()).filter((key) => /(^|:)user:/.test(key));
      for (const text of ['secret', '- 1 secret', '- 1 {"secret":1}', '- 1 [null,["secret"]]']) {
        await redis().send('SET', redis().prefix + user, text);
        const error = await rejection(() => adapter.getUser('ada'));
        expect(String(error)).toContain('not a row of this adapter');
        expect(String(error)).not.toContain('secret');
      }
    });
  },
);
