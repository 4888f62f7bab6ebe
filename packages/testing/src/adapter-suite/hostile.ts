import { check, nothing, type Outcome, outcome, type Refusal, same, sameUser } from './expect.ts';
import type { Case } from './runner.ts';
import {
  accountKey,
  anAccount,
  aSession,
  aToken,
  aUser,
  fresh,
  hostile,
  lookAlikes,
  refusable,
  tokenKey,
} from './samples.ts';

/** Registers the cases about text that stores often change. A store may refuse some of it, but must not change any. */
export function hostileText(it: Case): void {
  for (const [kind, text] of Object.entries(hostile)) {
    it(`${keeps(kind)} ${kind} in a user`, async (adapter) => {
      const given = aUser({ name: text, image: text, email: `${text}${fresh('')}` });
      await finding(() => adapter.getUserByEmail(given.email), 'before it is there');
      const created = await outcome(() => adapter.createUser(given));
      if (isRefused(created, kind)) return finding(() => adapter.getUserByEmail(given.email), 'after it was refused');
      const user = { ...given, id: created.value.id };
      sameUser(await adapter.getUser(user.id), user, 'by id');
      sameUser(await adapter.getUserByEmail(user.email), user, 'by address');
    });

    it(`${keeps(kind)} ${kind} in an account`, async (adapter) => {
      const user = await adapter.createUser(aUser());
      const account = anAccount(user.id, {
        provider: text,
        providerAccountId: `${text}${fresh('')}`,
        access_token: text,
        scope: text,
      });
      await finding(() => adapter.getUserByAccount(accountKey(account)), 'before it is there');
      if (isRefused(await outcome(() => adapter.linkAccount(account)), kind))
        return finding(() => adapter.getUserByAccount(accountKey(account)), 'after it was refused');
      sameUser(await adapter.getUserByAccount(accountKey(account)), user);
    });

    it(`${keeps(kind)} ${kind} in a verification token`, async (adapter) => {
      const token = aToken({ identifier: `${text}${fresh('')}`, token: text });
      await finding(() => adapter.useVerificationToken(tokenKey(token)), 'before it is there');
      if (isRefused(await outcome(() => adapter.createVerificationToken(token)), kind))
        return finding(() => adapter.useVerificationToken(tokenKey(token)), 'after it was refused');
      same((await adapter.useVerificationToken(tokenKey(token)))?.identifier, token.identifier, 'identifier');
      nothing(await adapter.useVerificationToken(tokenKey(token)), 'the second time');
    });
  }

  it('distinguishes addresses byte by byte', async (adapter) => {
    const owners = await keep(async (key) => (await adapter.createUser(aUser({ email: key }))).id);
    for (const [key, owner] of owners) same((await adapter.getUserByEmail(key))?.id, owner, JSON.stringify(key));
  });

  it('distinguishes accounts byte by byte', async (adapter) => {
    const owners = await keep(async (key) => {
      const user = await adapter.createUser(aUser());
      await adapter.linkAccount(anAccount(user.id, { providerAccountId: key }));
      return user.id;
    });
    for (const [providerAccountId, owner] of owners) {
      const user = await adapter.getUserByAccount({ provider: 'github', providerAccountId });
      same(user?.id, owner, JSON.stringify(providerAccountId));
    }
  });

  it('distinguishes verification tokens byte by byte', async (adapter) => {
    const identifier = fresh('ada');
    const kept = await keep(async (key) => {
      await adapter.createVerificationToken(aToken({ identifier, token: key }));
      return key;
    });
    for (const [token] of kept)
      same((await adapter.useVerificationToken({ identifier, token }))?.token, token, JSON.stringify(token));
  });
}

/** Registers the same cases about session tokens. */
export function hostileSessions(it: Case): void {
  for (const [kind, text] of Object.entries(hostile)) {
    it(`${keeps(kind)} ${kind} in a session token`, async (adapter) => {
      const user = await adapter.createUser(aUser());
      const session = aSession(user.id, { sessionToken: `${text}${fresh('')}` });
      await finding(() => adapter.getSessionAndUser(session.sessionToken), 'before it is there');
      if (isRefused(await outcome(() => adapter.createSession(session)), kind))
        return finding(() => adapter.getSessionAndUser(session.sessionToken), 'after it was refused');
      same(
        (await adapter.getSessionAndUser(session.sessionToken))?.session.sessionToken,
        session.sessionToken,
        'token',
      );
      await adapter.deleteSession(session.sessionToken);
      nothing(await adapter.getSessionAndUser(session.sessionToken), 'after it was deleted');
    });
  }

  it('distinguishes session tokens byte by byte', async (adapter) => {
    const owners = await keep(async (key) => {
      const user = await adapter.createUser(aUser());
      await adapter.createSession(aSession(user.id, { sessionToken: key }));
      return user.id;
    });
    for (const [key, owner] of owners)
      same((await adapter.getSessionAndUser(key))?.user.id, owner, JSON.stringify(key));
  });
}

/** Stores a row under each similar key, all with the same prefix. Leaves out those that the store refuses. */
async function keep(store: (key: string) => Promise<string>): Promise<[key: string, owner: string][]> {
  const prefix = fresh('');
  const kept: [string, string][] = [];
  for (const text of lookAlikes) {
    const key = prefix + text;
    const done = await outcome(() => store(key));
    if (done.ok) kept.push([key, done.value]);
  }
  check(kept.length >= lookAlikes.length - 1, `only ${kept.length} of ${lookAlikes.length} similar keys were kept`);
  return kept;
}

/** Fails the case if a look-up of an absent row finds one. The adapter may refuse the look-up. */
async function finding(look: () => unknown, when: string): Promise<void> {
  const found = await outcome(look);
  if (found.ok) nothing(found.value, when);
}

function keeps(kind: string): string {
  return refusable.has(kind) ? 'keeps or refuses' : 'keeps';
}

/** @throws {Error} if the store refused text that it must keep. */
function isRefused<T>(done: Outcome<T>, kind: string): done is Refusal {
  if (!done.ok && !refusable.has(kind)) throw done.error;
  return !done.ok;
}
