import { nothing, outcome, refused, same, sameAccount, sameSession, sameUser } from './expect.ts';
import type { Case } from './runner.ts';
import { accountKey, anAccount, aSession, aToken, aUser, fresh, soon, tokenKey } from './samples.ts';

/** Registers the cases about the methods that Latchkey adds to those of Auth.js v5. */
export function optional(it: Case): void {
  it('stores the fresh tokens of an account and keeps those that are not given', async (adapter) => {
    const user = await adapter.createUser(aUser());
    const account = anAccount(user.id);
    const other = anAccount(user.id, { provider: 'gitlab' });
    for (const one of [account, other]) await adapter.linkAccount(one);
    const { provider, providerAccountId, type, userId } = account;
    await adapter.updateAccount({ provider, providerAccountId, type, userId, access_token: 'new', expires_at: 2e9 });
    sameAccount(await adapter.getAccount(providerAccountId, provider), {
      ...account,
      access_token: 'new',
      expires_at: 2e9,
    });
    sameAccount(await adapter.getAccount(other.providerAccountId, other.provider), other, 'the other account');
  });

  it('does not store tokens for an account of another user, or for an unknown account', async (adapter) => {
    const user = await adapter.createUser(aUser());
    const other = await adapter.createUser(aUser());
    const account = anAccount(user.id);
    await adapter.linkAccount(account);
    await adapter.updateAccount({ ...account, userId: other.id, access_token: 'stolen' });
    sameAccount(await adapter.getAccount(account.providerAccountId, account.provider), account);
    const unknown = anAccount(user.id);
    await outcome(() => adapter.updateAccount(unknown));
    nothing(await adapter.getAccount(unknown.providerAccountId, unknown.provider), 'an unknown account');
  });

  it('creates a user with an account', async (adapter) => {
    const given = aUser();
    const { userId: _, ...account } = anAccount(given.id);
    const user = await adapter.createUserWithAccount(given, account);
    sameUser(user, { ...given, id: user.id });
    sameUser(await adapter.getUserByAccount(accountKey(account)), user);
    const stored = await adapter.getAccount(account.providerAccountId, account.provider);
    sameAccount(stored, { ...account, userId: user.id });
  });

  it('creates neither user nor account if one of them exists', async (adapter) => {
    const first = aUser();
    const { userId: _, ...account } = anAccount(first.id);
    await adapter.createUserWithAccount(first, account);

    const sameAccountAgain = aUser();
    await refused(() => adapter.createUserWithAccount(sameAccountAgain, account), 'the account again');
    nothing(await adapter.getUserByEmail(sameAccountAgain.email), 'a user left behind');

    const { userId: __, ...another } = anAccount(first.id);
    await refused(() => adapter.createUserWithAccount(aUser({ email: first.email }), another), 'the address again');
    nothing(await adapter.getUserByAccount(accountKey(another)), 'an account left behind');
  });

  it('creates one user when fifty first sign-ins of one account come at once', async (adapter) => {
    const { email } = aUser();
    const { userId: _, ...account } = anAccount('');
    const outcomes = await Promise.all(
      Array.from({ length: 50 }, () => outcome(() => adapter.createUserWithAccount(aUser({ email }), account))),
    );
    const created = outcomes.flatMap((one) => (one.ok ? [one.value] : []));
    same(created.length, 1, 'number of users');
    same((await adapter.getUserByAccount(accountKey(account)))?.id, created[0]?.id, 'owner of the account');
  });

  it('replaces a session', async (adapter) => {
    const user = await adapter.createUser(aUser());
    const [old, session, further] = [aSession(user.id), aSession(user.id), aSession(user.id)];
    await adapter.createSession(old);
    sameSession(await adapter.replaceSession(old.sessionToken, session), session);
    nothing(await adapter.getSessionAndUser(old.sessionToken), 'the old session');
    sameSession((await adapter.getSessionAndUser(session.sessionToken))?.session, session);
    sameSession(await adapter.replaceSession(undefined, further), further, 'without an old one');
    sameSession(await adapter.replaceSession(fresh('gone'), old), old, 'when the old one has gone');
    sameSession((await adapter.getSessionAndUser(session.sessionToken))?.session, session);
  });

  it('keeps the old session when the new one cannot be created', async (adapter) => {
    const user = await adapter.createUser(aUser());
    const [old, taken] = [aSession(user.id), aSession(user.id)];
    for (const session of [old, taken]) await adapter.createSession(session);
    await refused(() => adapter.replaceSession(old.sessionToken, taken), 'a token that is taken');
    await refused(
      () => adapter.replaceSession(old.sessionToken, aSession(fresh('unknown'))),
      'a user who does not exist',
    );
    sameSession((await adapter.getSessionAndUser(old.sessionToken))?.session, old);
  });

  it('extends a session for one of fifty simultaneous callers', async (adapter) => {
    const user = await adapter.createUser(aUser());
    const session = aSession(user.id);
    await adapter.createSession(session);
    const { sessionToken, expires: from } = session;
    const ends = Array.from({ length: 50 }, (_, index) => soon(100 + index));
    const moves = await Promise.all(ends.map((to) => adapter.extendSession({ sessionToken, from, to })));
    same(moves.filter(Boolean).length, 1, 'number of extensions');
    const expires = ends[moves.indexOf(true)] ?? from;
    sameSession((await adapter.getSessionAndUser(sessionToken))?.session, { ...session, expires });
  });

  it('never extends a session that has ended', async (adapter) => {
    const user = await adapter.createUser(aUser());
    const { sessionToken, expires: from } = await adapter.createSession(aSession(user.id));
    await adapter.deleteSession(sessionToken);
    same(await adapter.extendSession({ sessionToken, from, to: soon(120) }), false, 'extended');
    nothing(await adapter.getSessionAndUser(sessionToken), 'the session');
  });

  it('deletes all sessions of a user, or all but one, and no other sessions', async (adapter) => {
    const [user, other] = [await adapter.createUser(aUser()), await adapter.createUser(aUser())];
    const own = [aSession(user.id), aSession(user.id), aSession(user.id)];
    const [kept] = own;
    const ofOther = aSession(other.id);
    for (const session of [...own, ofOther]) await adapter.createSession(session);
    const present = async (): Promise<string[]> => {
      const found = await Promise.all([...own, ofOther].map((one) => adapter.getSessionAndUser(one.sessionToken)));
      return found.flatMap((one) => (one ? [one.session.sessionToken] : []));
    };
    await adapter.deleteSessionsByUserId(user.id, kept?.sessionToken);
    same(await present(), [kept?.sessionToken, ofOther.sessionToken], 'after all but one were deleted');
    await adapter.deleteSessionsByUserId(user.id, ofOther.sessionToken);
    same(await present(), [ofOther.sessionToken], 'after all but one of another user were deleted');
    await adapter.createSession(aSession(user.id));
    await adapter.deleteSessionsByUserId(other.id);
    await adapter.deleteSessionsByUserId(other.id);
    same(await present(), [], 'after all were deleted');
    sameUser(await adapter.getUser(other.id), other);
  });

  it('spends a key for one of fifty simultaneous callers', async (adapter) => {
    const key = fresh('key');
    const spent = await Promise.all(Array.from({ length: 50 }, () => adapter.spendOnce(key, soon())));
    same(spent.filter(Boolean).length, 1, 'number of those who spent it');
    same(await adapter.spendOnce(key, soon()), false, 'once more');
    same(await adapter.spendOnce(key.toUpperCase(), soon()), true, 'another key');
  });

  it('forgets a spent key when it has expired', async (adapter) => {
    const key = fresh('key');
    same(await adapter.spendOnce(key, new Date(Date.now() - 1000)), true, 'the first time');
    same(await adapter.spendOnce(key, soon()), true, 'after it expired');
    same(await adapter.spendOnce(key, soon()), false, 'before it expires');
  });

  it('deletes all tokens of an address, and those of no other address', async (adapter) => {
    const token = aToken();
    const { identifier } = token;
    const own = [token, aToken({ identifier }), aToken({ identifier })];
    const similar = [identifier.toUpperCase(), `${identifier}\u0301`, `${identifier}x`, '%'];
    const others = similar.map((other) => aToken({ identifier: other }));
    for (const one of [...own, ...others]) await adapter.createVerificationToken(one);
    await adapter.useVerificationToken(tokenKey(token));
    await adapter.deleteVerificationTokens({ identifier });
    for (const one of own) nothing(await adapter.useVerificationToken(tokenKey(one)), 'a token of the address');
    for (const one of others)
      same((await adapter.useVerificationToken(tokenKey(one)))?.token, one.token, JSON.stringify(one.identifier));
    await adapter.deleteVerificationTokens({ identifier });
    await adapter.createVerificationToken(token);
    same((await adapter.useVerificationToken(tokenKey(token)))?.token, token.token, 'a token stored afterwards');
  });

  it('deletes what has expired and leaves the rest', async (adapter) => {
    await adapter.cleanup();
    const user = await adapter.createUser(aUser());
    const past = new Date(Date.now() - 1000);
    const [expired, alive] = [aSession(user.id, { expires: past }), aSession(user.id)];
    for (const session of [expired, alive]) await adapter.createSession(session);
    const [old, young] = [aToken({ expires: past }), aToken()];
    for (const token of [old, young]) await adapter.createVerificationToken(token);

    same(await adapter.cleanup(), 2, 'rows deleted');
    nothing(await adapter.getSessionAndUser(expired.sessionToken), 'the expired session');
    nothing(await adapter.useVerificationToken(tokenKey(old)), 'the expired token');
    sameSession((await adapter.getSessionAndUser(alive.sessionToken))?.session, alive);
    same((await adapter.useVerificationToken(young))?.token, young.token, 'the young token');
    sameUser(await adapter.getUser(user.id), user);
    same(await adapter.cleanup(), 0, 'rows deleted the second time');
  });
}
