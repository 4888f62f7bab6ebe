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

interface State {
  /** What the answer that is known belongs to. */
  revision?: string | undefined;
  /** How often something has become known. */
  answers: number;
  /** Ends what {@link listen} has begun; `undefined` while nobody wants to know. */
  deafen?: (() => void) | undefined;
  /** The end of all that has been begun. */
  queue: Promise<unknown>;
  asking?: Promise<Session | null> | undefined;
  retry?: ReturnType<typeof setTimeout> | undefined;
  delay: number;
  /** The page is about to be left. */
  isLeaving?: boolean;
  /** Whether {@link wake} asks though nothing says that the session has changed. */
  revisits: boolean;
  /** What has been rendered last, as JSON. */
  rendered?: string | undefined;
}

const state: State = { answers: 0, queue: Promise.resolve(), delay: RETRY, revisits: true };
const listeners = new Set<() => void>();
const adopted = new WeakSet<object>();

/** For `useSyncExternalStore`. While somebody listens, changes made elsewhere are noticed. */
export function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  state.deafen ??= listen(check, wake, refresh);
  __NEXTAUTH._getSession = refresh;
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    state.deafen?.();
    state.deafen = undefined;
    cancelRetry();
  };
}

/** Another number is news. */
export function answers(): number {
  return state.answers;
}

/** Something has happened to the session since the last answer: "nobody is signed in" is not to be relied on. */
export function isUncertain(): boolean {
  return state.deafen !== undefined && (__NEXTAUTH._session === undefined || state.revision !== readRevision());
}

/** Asks where what is known is not the session that the browser has now. Nothing happens while nobody listens. */
export function check(): void {
  if (isUncertain()) void settle(isUncertain);
}

/** Somebody has signed in or out. Without revisions in cookies that alone is known. */
export async function refresh(): Promise<void> {
  if (state.deafen) await settle(() => isUncertain() || !readRevision());
  else __NEXTAUTH._session = undefined;
}

/** The time has come to ask about a session. */
export function poll(): void {
  if (__NEXTAUTH._session) void settle(() => true);
}

/** Whether to ask about a session that is a minute old when the visitor comes back: {@link check} comes along. */
export function revisit(isWanted: boolean): void {
  state.revisits = isWanted;
  check();
}

/** Asks for the session, or joins who asks already. Rejects where it fails. */
export function load(): Promise<Session | null> {
  state.asking ??= alone(() => ask(true)).finally(() => {
    state.asking = undefined;
  });
  return state.asking;
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
    state.isLeaving = leaves;
    try {
      return await act();
    } catch (error) {
      state.isLeaving = false;
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
  const isKnown = content === state.rendered || (session && adopted.has(session));
  state.rendered = content;
  if (session) adopted.add(session);
  if (isKnown || session === undefined) return;
  const { _session } = __NEXTAUTH;
  const revision = readRevision();
  if (_session === undefined || !revision || state.revision !== revision || !_session === !session)
    know(session, revision);
  else void settle(() => true);
}

/** The page is looked at again, or has a network again. What has happened to the session on other devices leaves no trace here. */
function wake(): void {
  state.isLeaving = false;
  cancelRetry();
  check();
  if (state.revisits && seconds() - __NEXTAUTH._lastSync >= FRESH) poll();
}

/** Asks, when what goes on has ended and it is news still. */
async function settle(isNews: () => boolean): Promise<void> {
  await state.queue;
  if (isNews() && !state.isLeaving && !state.retry) await orNull(load());
}

/** One thing at a time: the answer to a question asked before a sign-out would bring the session back. */
function alone<T>(task: () => Promise<T>): Promise<T> {
  const done = state.queue.then(() => task());
  state.queue = done.catch(() => {});
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
    if (state.deafen) state.retry = setTimeout(retry, state.delay);
    state.delay *= 2;
    throw error;
  }
}

function retry(): void {
  cancelRetry();
  check();
}

function cancelRetry(): void {
  clearTimeout(state.retry);
  state.retry = undefined;
}

function know(session: Session | null, revision: string | undefined): void {
  state.delay = RETRY;
  state.revision = revision;
  __NEXTAUTH._session = session;
  __NEXTAUTH._lastSync = seconds();
  state.answers++;
  for (const listener of listeners) listener();
}

function seconds(): number {
  return Math.floor(Date.now() / 1000);
}
