/**
 * The session of this page, outside of its components: those come and go. There is one request at a time, and only where nothing is
 * known yet or the revision is another one than that of what is known. A request that fails changes nothing and is made again later.
 * What is known is in {@link __NEXTAUTH}; on a server all this is not used.
 */
import { listen, readRevision } from '@latchkey/core/client';
import type { Session } from '@latchkey/core/types';
import { __NEXTAUTH } from './addresses.ts';
import { getCsrfToken, orNull, requestSession } from './requests.ts';

/** Seconds after which a tab that comes to the front again asks, though nothing says that the session has changed. */
const FRESH = 60;
/** Milliseconds until a request that failed is made again; twice as many each time. */
const RETRY = 1000;

// Variables instead of members of one object: minifiers shorten their names.
/** What the answer that is known belongs to. */
let known: string | undefined;
/** How often something has become known. */
let answerCount = 0;
/** Ends what {@link listen} has begun; `undefined` while nobody wants to know. */
let deafen: (() => void) | undefined;
/** The end of all that has been begun. */
let queue: Promise<unknown> = Promise.resolve();
let asking: Promise<Session | null> | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;
let delay: number = RETRY;
/** The page is about to be left. */
let isLeaving = false;
/** Whether {@link wake} asks though nothing says that the session has changed. */
let revisits = true;
/** What has been rendered last, as JSON. */
let rendered: string | undefined;

const listeners = new Set<() => void>();
const adopted = new WeakSet<object>();

/** For `useSyncExternalStore`. While somebody listens, changes made elsewhere are noticed. */
export function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  deafen ??= listen(check, wake, refresh);
  __NEXTAUTH._getSession = refresh;
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    deafen?.();
    deafen = undefined;
    cancelRetry();
  };
}

/** Another number is news. */
export function answers(): number {
  return answerCount;
}

/** Something has happened to the session since the last answer: "nobody is signed in" is not to be relied on. */
export function isUncertain(): boolean {
  return deafen !== undefined && (__NEXTAUTH._session === undefined || known !== readRevision());
}

/** Asks where what is known is not the session that the browser has now. Nothing happens while nobody listens. */
export function check(): void {
  if (isUncertain()) void settle(isUncertain);
}

/** Somebody has signed in or out. Without revisions in cookies that alone is known. */
export async function refresh(): Promise<void> {
  if (deafen) await settle(() => isUncertain() || !readRevision());
  else __NEXTAUTH._session = undefined;
}

/** The time has come to ask about a session. */
export function poll(): void {
  if (__NEXTAUTH._session) void settle(() => true);
}

/** Whether to ask about a session that is a minute old when the visitor comes back: {@link check} comes along. */
export function revisit(isWanted: boolean): void {
  revisits = isWanted;
  check();
}

/** Asks for the session, or joins who asks already. Rejects where it fails. */
export function load(): Promise<Session | null> {
  asking ??= alone(() => ask(true)).finally(() => {
    asking = undefined;
  });
  return asking;
}

/** `POST session` with the application's data. */
export function update(data: unknown): Promise<Session | null> {
  return alone(async () => {
    const body = JSON.stringify({ csrfToken: await getCsrfToken(), data });
    const session = await requestSession({ method: 'POST', headers: { 'content-type': 'application/json' }, body });
    know(session, readRevision());
    return session;
  });
}

/**
 * Does what changes the session.
 *
 * @param leaves The page is left afterwards, and goes on showing what it has shown.
 */
export function change<T>(act: () => Promise<T>, leaves: boolean): Promise<T> {
  return alone(async () => {
    isLeaving = leaves;
    try {
      return await act();
    } catch (error) {
      isLeaving = false;
      throw error;
    }
  });
}

/**
 * Takes what the server has rendered, once: the same object, or the same content as before, is no news. Where it is not of one mind
 * with a newer answer, the server is asked.
 */
export function adopt(session: Session | null | undefined): void {
  const content = JSON.stringify(session);
  const isKnown = content === rendered || (session && adopted.has(session));
  rendered = content;
  if (session) adopted.add(session);
  if (isKnown || session === undefined) return;
  const { _session } = __NEXTAUTH;
  const revision = readRevision();
  if (_session === undefined || !revision || known !== revision || !_session === !session) know(session, revision);
  else void settle(() => true);
}

/** The page is looked at again, or has a network again. What has happened to the session on other devices leaves no trace here. */
function wake(): void {
  isLeaving = false;
  cancelRetry();
  check();
  if (revisits && seconds() - __NEXTAUTH._lastSync >= FRESH) poll();
}

/** Asks, when what goes on has ended and it is news still. */
async function settle(isNews: () => boolean): Promise<void> {
  await queue;
  if (isNews() && !isLeaving && !timer) await orNull(load());
}

/** One thing at a time: the answer to a question asked before a sign-out would bring the session back. */
function alone<T>(task: () => Promise<T>): Promise<T> {
  const done = queue.then(() => task());
  queue = done.catch(() => {});
  return done;
}

async function ask(again: boolean): Promise<Session | null> {
  cancelRetry();
  const revision = readRevision();
  try {
    const session = await requestSession();
    if (revision !== readRevision() && again) return ask(false);
    know(session, revision);
    return session;
  } catch (error) {
    if (deafen) timer = setTimeout(retry, delay);
    delay *= 2;
    throw error;
  }
}

function retry(): void {
  cancelRetry();
  check();
}

function cancelRetry(): void {
  clearTimeout(timer);
  timer = undefined;
}

function know(session: Session | null, revision: string | undefined): void {
  delay = RETRY;
  known = revision;
  __NEXTAUTH._session = session;
  __NEXTAUTH._lastSync = seconds();
  answerCount++;
  for (const listener of listeners) listener();
}

function seconds(): number {
  return Math.floor(Date.now() / 1000);
}
