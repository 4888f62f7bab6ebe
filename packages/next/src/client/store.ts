/**
 * The session of this page. It is kept outside of the components, which are mounted and removed. There is one request
 * at a time, and only if the session is unknown or the revision has changed. A request that fails changes nothing,
 * and is made again later. {@link __NEXTAUTH} holds the known session. A server does not use this module.
 */
import { listen, readRevision } from '@latchkey/core/client';
import type { Session } from '@latchkey/core/types';
import { __NEXTAUTH, getCsrfToken, orNull, requestSession } from './requests.ts';

/** Seconds after which a tab that becomes visible requests the session again, even if the revision is the same. */
const FRESH = 60;
/** Milliseconds until a failed request is made again. Each failure doubles them. */
const RETRY = 1000;

// Variables instead of members of one object, because minifiers shorten their names.
/** The revision of the known session. */
let known: string | undefined;
/** How many answers there were. */
let answerCount = 0;
/** Stops {@link listen}; `undefined` without listeners. */
let stopListening: (() => void) | undefined;
/** Resolves when all tasks so far have ended. */
let queue: Promise<unknown> = Promise.resolve();
let loading: Promise<Session | null> | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;
let delay: number = RETRY;
/** Whether the browser is about to leave the page. */
let isLeaving = false;
/** Whether {@link wake} requests a session that is older than {@link FRESH}. */
let revisits = true;
/** The session that the server rendered last, as JSON. */
let rendered: string | undefined;

const listeners = new Set<() => void>();
const adopted = new WeakSet<object>();

/** Subscribes, for `useSyncExternalStore`. With a listener, changes that other code made are noticed. */
export function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  stopListening ??= listen(check, wake, refresh);
  __NEXTAUTH._getSession = refresh;
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    stopListening?.();
    stopListening = undefined;
    cancelRetry();
  };
}

/** Returns a number that changes with each answer. */
export function answers(): number {
  return answerCount;
}

/** Returns whether the session may have changed since the last answer. Then a missing session proves nothing. */
export function isUncertain(): boolean {
  return stopListening !== undefined && (__NEXTAUTH._session === undefined || known !== readRevision());
}

/** Requests the session if the known one is not that of the browser. Does nothing without listeners. */
export function check(): void {
  if (isUncertain()) void loadIf(isUncertain);
}

/** Another tab announced a change. Without revisions in cookies, the announcement is the only sign. */
export async function refresh(): Promise<void> {
  if (stopListening) await loadIf(() => isUncertain() || !readRevision());
  else __NEXTAUTH._session = undefined;
}

/** Requests a known session again. */
export function poll(): void {
  if (__NEXTAUTH._session) void loadIf(() => true);
}

/** Sets whether a session is requested again when the visitor returns after a minute. Calls {@link check}, too. */
export function revisit(isWanted: boolean): void {
  revisits = isWanted;
  check();
}

/** Requests the session, or joins the request in progress. Rejects if the request fails. */
export function load(): Promise<Session | null> {
  loading ??= inTurn(() => request(true)).finally(() => {
    loading = undefined;
  });
  return loading;
}

/** Sends `POST session` with the application's data. */
export function update(data: unknown): Promise<Session | null> {
  return inTurn(async () => {
    const body = JSON.stringify({ csrfToken: await getCsrfToken(), data });
    const session = await requestSession({ method: 'POST', headers: { 'content-type': 'application/json' }, body });
    setKnown(session, readRevision());
    return session;
  });
}

/**
 * Runs a task that changes the session.
 *
 * @param leaves Whether the browser leaves the page afterwards. Until then, the page shows the old session.
 */
export function change<T>(task: () => Promise<T>, leaves: boolean): Promise<T> {
  return inTurn(async () => {
    isLeaving = leaves;
    try {
      return await task();
    } catch (error) {
      isLeaving = false;
      throw error;
    }
  });
}

/**
 * Takes a session that the server rendered. The same object, or the same content as before, is ignored. If it differs
 * from a newer answer, the server is asked.
 */
export function adopt(session: Session | null | undefined): void {
  const content = JSON.stringify(session);
  const isKnown = content === rendered || (session && adopted.has(session));
  rendered = content;
  if (session) adopted.add(session);
  if (isKnown || session === undefined) return;
  const { _session } = __NEXTAUTH;
  const revision = readRevision();
  if (_session === undefined || !revision || known !== revision || !_session === !session) setKnown(session, revision);
  else void loadIf(() => true);
}

/** The page is visible again, or has a network again. Changes on other devices do not change the revision here. */
function wake(): void {
  isLeaving = false;
  cancelRetry();
  check();
  if (revisits && seconds() - __NEXTAUTH._lastSync >= FRESH) poll();
}

/** Requests the session if it is still necessary when the tasks in progress have ended. */
async function loadIf(isNecessary: () => boolean): Promise<void> {
  await queue;
  if (isNecessary() && !isLeaving && !timer) await orNull(load());
}

/** Runs one task at a time. Otherwise the answer to an earlier request could restore the session after a sign-out. */
function inTurn<T>(task: () => Promise<T>): Promise<T> {
  const done = queue.then(() => task());
  queue = done.catch(() => {});
  return done;
}

async function request(again: boolean): Promise<Session | null> {
  cancelRetry();
  const revision = readRevision();
  try {
    const session = await requestSession();
    if (revision !== readRevision() && again) return request(false);
    setKnown(session, revision);
    return session;
  } catch (error) {
    if (stopListening) timer = setTimeout(retry, delay);
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

function setKnown(session: Session | null, revision: string | undefined): void {
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
