import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser } from '@latchkey/testing';
import { LAG, type Method, methods, passwordOf } from '../people.ts';
import { errorCodeOf, mustBeFine, readTold, Trouble, Wrong } from './judge.ts';
import { signIn } from './sign-in.ts';
import type { Visitor } from './visitor.ts';

/** Something that a visitor does. It judges itself, and never throws. */
export type Act = (visitor: Visitor) => Promise<unknown>;

/** Once, by either address. */
export const look: Act = (visitor) =>
  visitor.attempt('look', visitor.readers, () => visitor.look(visitor.random.pick(['session', 'me'])));

/** Several at once, as a page with many parts does. */
export const lookInParallel: Act = (visitor) => {
  const paths = Array.from({ length: 3 }, () => visitor.random.pick(['session', 'me'] as const));
  return Promise.all(
    paths.map((path) => visitor.attempt('look in parallel', visitor.readers, () => visitor.look(path))),
  );
};

/** Changes the name; what was answered must be read from then on. */
export const update: Act = async (visitor) => {
  const before = visitor.names;
  const name = `Name ${Math.floor(visitor.random.next() * 1e9)}`;
  const isDone = await visitor.attempt('update', visitor.readers, async () => {
    const started = visitor.scene.now();
    const page = await visitor.post('session', { data: { name } }, { json: true });
    if (page.status !== 200) throw new Trouble('update', String(page.status));
    const told = readTold(page, 'update');
    // Without its store it says nothing: whether the name is another one, the next look tells.
    visitor.names = told === null ? [] : [name];
    visitor.judge(told, 'update', started);
  });
  if (!isDone) visitor.names = before.length > 0 && visitor.identity ? [...before, name] : [];
};

/** Signs out, and sees that it is so: in this browser, and for copies of the cookies. */
export const signOut: Act = (visitor) => endOwn(visitor, 'sign-out', 'signout', {});

/**
 * Ends all sessions of the user, by the list of sessions. That needs a session, so a visitor that is unsure looks
 * first.
 */
export const endAll: Act = async (visitor) => {
  if (visitor.isUnsure) await look(visitor);
  if (visitor.isUnsure || !visitor.identity) return;
  await endOwn(visitor, 'end of all sessions', 'sessions', { end: 'all' });
};

async function endOwn(visitor: Visitor, what: string, path: string, fields: Record<string, string>): Promise<void> {
  const started = visitor.scene.now();
  const thief = visitor.browser.clone();
  const isDone = await visitor.attempt(what, visitor.readers, async () => {
    mustBeFine(await visitor.post(path, fields), what);
    visitor.forget();
    visitor.scene.tally.count(`ended/${what}`);
    await visitor.look('session');
  });
  if (!isDone && visitor.identity) visitor.isUnsure = true;
  // A sign-out clears the cookie although a store is down that keeps the session.
  const isClearedOnly = path === 'signout' && visitor.met(visitor.readers, started).length > 0;
  if (isDone && !isClearedOnly) await mustHaveEnded(visitor, thief, what);
}

/** A copy of the cookies of a session that has ended must be refused by both processes: at once, or after the lag. */
async function mustHaveEnded(visitor: Visitor, thief: Browser, what: string): Promise<void> {
  if (visitor.mode === 'jwt') await sleep(LAG * 1000);
  for (let process = 0; process < 2; process++) {
    await visitor.attempt('look by a copied cookie', visitor.readers, async () => {
      const told = readTold(await visitor.get('session', thief.clone()), 'copied cookie');
      if (told) throw new Wrong(`a copy of the cookie is still ${told.email} after the ${what}`);
    });
  }
}

/**
 * Signs in with a further browser, finds its session in the list, and ends it. The own session must stay.
 */
export const endOther: Act = async (visitor) => {
  const { identity, scene } = visitor;
  if (identity?.method !== 'credentials' || visitor.isUnsure) return;
  const other = visitor.browser.clone();
  other.cookies.clear();
  const isDone = await visitor.attempt('end of another session', visitor.readers, async () => {
    const before = await visitor.sessions();
    const { email } = identity;
    const page = await visitor.post('callback/credentials', { email, password: passwordOf(email) }, { browser: other });
    mustBeFine(page, 'the further browser');
    const [added] = (await visitor.sessions()).filter(({ id }) => !before.some((known) => known.id === id));
    // While the store is down, the list is empty.
    if (!added) throw new Trouble('the list of sessions', 'Configuration');
    if (added.current) throw new Wrong('the session of another browser is listed as the own one');
    mustBeFine(await visitor.post('sessions', { end: added.id }), 'end of another session');
    scene.tally.count('ended/another session');
  });
  if (isDone) await mustHaveEnded(visitor, other, 'end of another session');
  await visitor.attempt('look after an end', visitor.readers, () => visitor.look('session'));
};

/** Signs in; who is signed in does so by the same way again. */
export const signInSomehow: Act = (visitor) => {
  const method: Method = visitor.identity?.method ?? visitor.random.pick(methods);
  return signIn(visitor, visitor.identities[method]);
};

/** Changes a letter of the session's cookie. */
export const tamper: Act = (visitor) =>
  visitor.attempt('tampered cookie', visitor.readers, async () => {
    const forger = visitor.browser.clone();
    const cookie = forger.cookies.all().find(({ name }) => name.startsWith('__Secure-authjs.session-token'));
    if (!cookie) return;
    const at = Math.floor(visitor.random.between(0.3, 0.7) * cookie.value.length);
    const value = cookie.value.slice(0, at) + another(cookie.value[at]) + cookie.value.slice(at + 1);
    forger.cookies.set(cookie.name, value, { secure: true });
    const told = readTold(await visitor.get('session', forger), 'tampered cookie');
    if (told) throw new Wrong(`a tampered cookie is ${told.email}`);
    visitor.scene.tally.count('attacks refused/tampered cookie');
  });

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** Returns a letter that differs in its first bit. The other bits of a last letter may be unused (RFC 4648 §3.5). */
function another(letter = ''): string {
  return ALPHABET[Math.max(ALPHABET.indexOf(letter), 0) ^ 32] ?? 'A';
}

/** Posts a form with the CSRF token of another visitor. */
export const foreignToken: Act = (visitor) =>
  visitor.attempt('token of another', [], async () => {
    const others = [...visitor.scene.tokens].filter(([number]) => number !== visitor.number);
    if (others.length === 0) return;
    await visitor.csrfToken();
    const [, csrfToken] = visitor.random.pick(others);
    const page = await visitor.post('signout', { csrfToken });
    if (errorCodeOf(page) !== 'MissingCSRF')
      throw new Wrong(`the token of another visitor was taken: ${page.status} ${page.location}`);
    visitor.scene.tally.count('attacks refused/token of another');
  });

/** Tries a password. It needs no store: attempts are counted in the process where Redis is down. */
export const wrongPassword: Act = (visitor) =>
  visitor.attempt('wrong password', [], async () => {
    const { email } = visitor.identities.credentials;
    const stranger = visitor.browser.clone();
    const page = await visitor.post('callback/credentials', { email, password: 'a guess' }, { browser: stranger });
    const code = errorCodeOf(page);
    if (code !== 'CredentialsSignin') throw new Wrong(`a wrong password: ${code ?? page.location ?? page.status}`);
    visitor.scene.tally.count('attacks refused/wrong password');
  });

/** Tries to renew, until it counts as done. */
const TRIES = 40;

/** Has everything issued anew that an older secret has made. */
export const renew: Act = async (visitor) => {
  for (let tries = 0; tries < TRIES; tries++) {
    const isDone = await visitor.attempt('renewal', visitor.readers, async () => {
      await visitor.csrfToken();
      if (visitor.mode !== 'jwt' || !visitor.identity) return;
      const isTold = await visitor.look('session');
      // Without its store, the session cannot be read, and is not issued anew.
      if (!isTold && visitor.identity) throw new Trouble('renewal', 'Configuration');
    });
    if (isDone) break;
    await sleep(250);
  }
  visitor.renewals += 1;
};
