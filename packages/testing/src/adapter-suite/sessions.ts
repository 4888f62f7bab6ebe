import { check, nothing, same, sameSession, sameToken, sameUser } from './expect.ts';
import type { Case } from './runner.ts';
import { aSession, aToken, aUser, fresh, soon, tokenKey } from './samples.ts';

/** Registers the cases about database sessions. */
export function sessions(it: Case): void {
  it('creates a session and reads it with its user', async (adapter) => {
    const user = await adapter.createUser(aUser({ emailVerified: soon() }));
    const session = aSession(user.id);
    sameSession(await adapter.createSession(session), session, 'as created');
    const found = await adapter.getSessionAndUser(session.sessionToken);
    sameSession(found?.session, session, 'as read');
    sameUser(found?.user, user);
  });

  it('finds no session by an unknown token', async (adapter) => {
    const user = await adapter.createUser(aUser());
    await adapter.createSession(aSession(user.id));
    nothing(await adapter.getSessionAndUser(fresh('unknown')), 'session');
  });

  it('keeps the expiry to the millisecond, in the past as in the far future', async (adapter) => {
    const user = await adapter.createUser(aUser());
    for (const expires of [new Date('2001-02-03T04:05:06.007Z'), new Date('2037-12-31T23:59:59.999Z'), soon()]) {
      const { sessionToken } = await adapter.createSession(aSession(user.id, { expires }));
      const found = await adapter.getSessionAndUser(sessionToken);
      // Core decides whether a session has expired; an adapter may leave an expired one out.
      if (found || expires.getTime() > Date.now()) {
        check(found?.session.expires instanceof Date, 'expires must be a Date');
        same(found.session.expires, expires, 'expires');
      }
    }
  });

  it('moves the expiry of one session and leaves the others', async (adapter) => {
    const user = await adapter.createUser(aUser());
    const [session, other] = [aSession(user.id), aSession(user.id)];
    for (const one of [session, other]) await adapter.createSession(one);
    const expires = soon(120);
    const updated = await adapter.updateSession({ sessionToken: session.sessionToken, expires });
    if (updated) sameSession(updated, { ...session, expires }, 'as updated');
    sameSession((await adapter.getSessionAndUser(session.sessionToken))?.session, { ...session, expires }, 'as read');
    sameSession((await adapter.getSessionAndUser(other.sessionToken))?.session, other, 'the other');
  });

  it('deletes one session and leaves the others', async (adapter) => {
    const user = await adapter.createUser(aUser());
    const [session, other] = [aSession(user.id), aSession(user.id)];
    for (const one of [session, other]) await adapter.createSession(one);
    await adapter.deleteSession(session.sessionToken);
    nothing(await adapter.getSessionAndUser(session.sessionToken), 'the deleted session');
    sameSession((await adapter.getSessionAndUser(other.sessionToken))?.session, other, 'the other');
    sameUser(await adapter.getUser(user.id), user, 'its user');
  });

  it('ends the sessions of a user who is deleted', async (adapter) => {
    const user = await adapter.createUser(aUser());
    const other = await adapter.createUser(aUser());
    const [session, another] = [aSession(user.id), aSession(other.id)];
    for (const one of [session, another]) await adapter.createSession(one);
    await adapter.deleteUser(user.id);
    nothing(await adapter.getSessionAndUser(session.sessionToken), 'their session');
    sameUser((await adapter.getSessionAndUser(another.sessionToken))?.user, other, 'user of another session');
  });
}

/** Registers the cases about mailed tokens. */
export function verificationTokens(it: Case): void {
  it('returns a token once', async (adapter) => {
    const token = aToken();
    await adapter.createVerificationToken(token);
    sameToken(await adapter.useVerificationToken(tokenKey(token)), token);
    nothing(await adapter.useVerificationToken(tokenKey(token)), 'the second time');
  });

  it('identifies a token by both parts of its key, and does not spend it for a wrong key', async (adapter) => {
    const token = aToken();
    const sibling = aToken({ identifier: token.identifier });
    for (const one of [token, sibling]) await adapter.createVerificationToken(one);
    const { identifier } = token;
    nothing(await adapter.useVerificationToken({ identifier: fresh('other'), token: token.token }), 'other address');
    nothing(await adapter.useVerificationToken({ identifier, token: fresh('other') }), 'other token');
    sameToken(await adapter.useVerificationToken(tokenKey(token)), token);
    sameToken(await adapter.useVerificationToken(tokenKey(sibling)), sibling, 'another token of the address');
  });

  it('returns an expired token, which core rejects, or nothing', async (adapter) => {
    const token = aToken({ expires: new Date('2001-02-03T04:05:06.007Z') });
    await adapter.createVerificationToken(token);
    const used = await adapter.useVerificationToken(tokenKey(token));
    if (used) sameToken(used, token);
    nothing(await adapter.useVerificationToken(tokenKey(token)), 'the second time');
  });

  it('returns a token to one of fifty simultaneous callers', async (adapter) => {
    const token = aToken();
    await adapter.createVerificationToken(token);
    const answers = await Promise.all(Array.from({ length: 50 }, () => adapter.useVerificationToken(tokenKey(token))));
    same(answers.filter((answer) => answer).length, 1, 'number of those who got it');
  });
}
