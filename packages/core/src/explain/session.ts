import { callbacksOf, defaultRedirect } from '../config/hooks.ts';
import type { Settings } from '../config/settings.ts';
import type { Context, Reply } from '../context.ts';
import { openIfValid } from '../crypto/seal.ts';
import { showsDetails } from '../guards/details.ts';
import type { Log } from '../log/logger.ts';
import { claimedFacts, derivedFacts, derivedId } from '../session/facts.ts';
import { isLive, readRecord } from '../session/records.ts';
import * as session from '../session/session.ts';
import type { Store } from '../store/store.ts';
import type { NoSession, SessionCause } from '../types/cause.ts';
import { CHUNK_SIZE, CHUNKS_READ, isPartOf, readChunked } from '../wire/cookie-chunks.ts';
import { sentName } from '../wire/cookie-names.ts';

/** A cause with its facts. */
export interface Diagnosis<C> {
  readonly cause: C;
  readonly facts: Readonly<Record<string, unknown>>;
}

/** The result of reading a session without changing anything. */
export interface ReadResult {
  /** Why there is no session; `undefined` if there is one. */
  readonly noSession: Diagnosis<SessionCause> | undefined;
  /** The steps that were made, for the developer. */
  readonly steps: readonly string[];
}

/**
 * Adds the header `Latchkey-Reason` to the answer of `GET session`, if the answer may show details.
 *
 * @param reason Why there is no session.
 */
export async function withReason(context: Context, reply: Reply, reason: NoSession): Promise<Reply> {
  if (!showsDetails(context)) return reply;
  const { cause } = await diagnose(context, reason);
  return { ...reply, headers: { ...reply.headers, 'latchkey-reason': cause } };
}

/**
 * Reads the session of a request as `GET session` does, and changes nothing: no cookie is set, no row is written, and
 * no event is emitted.
 *
 * @param runsCallbacks Whether `callbacks.jwt` and `callbacks.session` are called. They may refresh tokens.
 */
export async function readWithoutEffects(given: Context, runsCallbacks: boolean): Promise<ReadResult> {
  const settings = settingsWithoutEffects(given.settings, runsCallbacks);
  const call = { ...given.call, renew: 'never' } as const;
  const context: Context = { ...given, settings, call, renewal: { cookies: [] } };
  const { name } = context.cookieTable.sessionToken;
  const answer = await session.read(context);
  const isEmpty = answer.session !== null && Object.keys(answer.session).length === 0;
  const reason = isEmpty ? 'session-callback-empty' : answer.reason;
  const noSession = reason ? await diagnose(context, reason) : await endedRecord(context, given.settings);
  return {
    noSession,
    steps: [
      `cookie "${name}": ${cookieWords(context)}`,
      ...(settings.strategy === 'jwt' && !reason ? [`token: ${await secretWords(context)}`] : []),
      runsCallbacks ? 'callbacks: were called' : 'callbacks: were not called',
      noSession ? `session: none (${noSession.cause})` : 'session: found',
    ],
  };
}

const SILENT: Log = {
  error: () => undefined,
  info: () => undefined,
  canceled: () => undefined,
  warn: () => undefined,
  notice: () => undefined,
  debug: () => undefined,
};

/** Settings with which reading has no effect. The records of sessions are looked up afterwards. */
function settingsWithoutEffects(settings: Settings, runsCallbacks: boolean): Settings {
  const { callbacks } = settings;
  return {
    ...settings,
    logger: SILENT,
    emit: () => undefined,
    records: undefined,
    callbacks: runsCallbacks ? { ...callbacks, redirect: defaultRedirect } : callbacksOf({ providers: [] }),
    store: async () => readOnly(await settings.store()),
  };
}

function readOnly(store: Store | undefined): Store | undefined {
  if (!store) return undefined;
  const nothing = async (): Promise<null> => null;
  return { ...store, deleteSession: nothing, updateSession: nothing, extendSession: undefined } as Store;
}

/** A session whose token is valid may have ended in its record. */
async function endedRecord(context: Context, { records }: Settings): Promise<Diagnosis<SessionCause> | undefined> {
  if (!records) return undefined;
  const settings = { ...context.settings, records };
  const text = readChunked(context.cookies, sentName(context.cookies, context.cookieTable.sessionToken)) ?? '';
  try {
    const { id, isDerived } = await recordIdOf(context, text);
    const record = await readRecord(settings, context.now, id);
    const isOver = record === 'ended' || (record === 'unknown' && !isDerived);
    return isLive(record) || !isOver ? undefined : { cause: 'session-ended', facts: { strategy: settings.strategy } };
  } catch {
    return { cause: 'store-failed', facts: { strategy: settings.strategy } };
  }
}

async function recordIdOf(
  { settings, ...context }: Context,
  text: string,
): Promise<{ id: string; isDerived: boolean }> {
  if (settings.strategy === 'database') return { id: await derivedId(text), isDerived: true };
  const token = (await openWithAny({ settings, ...context }, text))?.claims ?? {};
  const { facts, isDerived } = claimedFacts(settings, token) ?? (await derivedFacts(settings, token, text));
  return { id: facts.id, isDerived };
}

/** Looks for the reason behind a reason. */
async function diagnose(context: Context, reason: NoSession): Promise<Diagnosis<SessionCause>> {
  const { settings } = context;
  if (reason === 'cookie-missing') return missingCookie(context);
  if (reason === 'cookie-unreadable') return unreadableCookie(context);
  const value = tokenIn(context);
  if (reason === 'row-missing' && SEALED.test(value)) {
    const facts = { strategy: 'database', found: 'the token of a JWT session', characters: value.length };
    return { cause: 'strategy-mismatch', facts };
  }
  return { cause: reason, facts: { strategy: settings.strategy, found: nameOf(context), characters: value.length } };
}

/** The session cookies of other libraries. */
const OTHERS = /^(?:__(?:Secure|Host)-)?(?:next-auth\.session-token|better-auth\.session_token|connect\.sid|session)$/;

function missingCookie({ cookies, cookieTable }: Context): Diagnosis<SessionCause> {
  const { name: expected, names = [expected] } = cookieTable.sessionToken;
  const sent = Object.keys(cookies);
  const isOwn = (name: string): boolean => names.some((own) => isPartOf(name, own));
  const plain = withoutPrefix(expected);
  const prefixed = sent.find((name) => !isOwn(name) && isPartOf(withoutPrefix(name), plain));
  if (prefixed !== undefined) return { cause: 'cookie-prefix', facts: { found: prefixed, expected } };
  const other = sent.find((name) => OTHERS.test(name.replace(/\.\d$/, '')));
  if (other !== undefined) return { cause: 'cookie-of-other-library', facts: { found: other, expected } };
  const part = sent.find((name) => isOwn(name) && cookies[name] !== '');
  if (part !== undefined) return { cause: 'cookie-incomplete', facts: { found: part, missing: `${expected}.0` } };
  return { cause: 'cookie-missing', facts: { expected, cookies: sent.length } };
}

function withoutPrefix(name: string): string {
  return name.replace(/^__(?:Secure|Host)-/, '');
}

/** The form of a compact JWE (RFC 7516 §3.1): five segments. */
const SEALED = /^[\w-]+\.[\w-]*\.[\w-]+\.[\w-]+\.[\w-]*$/;

async function unreadableCookie(context: Context): Promise<Diagnosis<SessionCause>> {
  const value = tokenIn(context);
  const chunks = chunksOf(context);
  const sizes = { found: nameOf(context), chunks, characters: value.length };
  const opened = await openWithAny(context, value);
  if (opened && typeof opened.claims['exp'] === 'number') {
    const secondsAgo = Math.floor(context.now.getTime() / 1000) - opened.claims['exp'];
    const secrets = context.settings.sealingSecrets.length;
    return { cause: 'token-expired', facts: { ...sizes, secondsAgo, secret: opened.secret, secrets } };
  }
  const missing = missingChunk(context, chunks);
  if (missing !== undefined) return { cause: 'cookie-incomplete', facts: { ...sizes, missing } };
  if (!value.includes('.')) {
    const facts = { strategy: 'jwt', found: 'the token of a database session', characters: value.length };
    return { cause: 'strategy-mismatch', facts };
  }
  return { cause: 'cookie-unreadable', facts: { ...sizes, secrets: context.settings.sealingSecrets.length } };
}

/** Returns the name of a chunk that has to exist: a later one exists, or the last one is full. */
function missingChunk(context: Context, chunks: number): string | undefined {
  const name = nameOf(context);
  if (chunks === 0) return undefined;
  const next = `${name}.${chunks}`;
  const later = Array.from({ length: CHUNKS_READ }, (_, index) => index).filter((index) => index > chunks);
  const hasLater = later.some((index) => context.cookies[`${name}.${index}`]);
  const isFull = context.cookies[`${name}.${chunks - 1}`]?.length === CHUNK_SIZE;
  return hasLater || isFull ? next : undefined;
}

interface Opened {
  readonly claims: Record<string, unknown>;
  /** Position of the secret that opened the token; the newest is 1. */
  readonly secret: number;
}

/** Opens a token with one secret after the other, also if it has expired. */
async function openWithAny({ settings, cookies, cookieTable }: Context, text: string): Promise<Opened | undefined> {
  if (settings.decode) return undefined;
  const salt = sentName(cookies, cookieTable.sessionToken);
  for (const [index, secret] of settings.sealingSecrets.entries()) {
    // At the epoch no token has expired.
    const claims = await openIfValid(text, { secrets: [secret], salt, now: new Date(0) });
    if (claims) return { claims, secret: index + 1 };
  }
  return undefined;
}

function nameOf({ cookies, cookieTable }: Context): string {
  return sentName(cookies, cookieTable.sessionToken);
}

function tokenIn(context: Context): string {
  return readChunked(context.cookies, nameOf(context)) ?? '';
}

function chunksOf(context: Context): number {
  const name = nameOf(context);
  if (context.cookies[name]) return 0;
  let chunks = 0;
  while (chunks < CHUNKS_READ && context.cookies[`${name}.${chunks}`]) chunks++;
  return chunks;
}

function cookieWords(context: Context): string {
  const value = tokenIn(context);
  if (value === '') return 'not in the request';
  const chunks = chunksOf(context);
  return `${value.length} characters${chunks > 0 ? ` in ${chunks} chunks` : ''}`;
}

async function secretWords(context: Context): Promise<string> {
  const { sealingSecrets, decode } = context.settings;
  if (decode) return '`jwt.decode` has read it';
  const opened = await openWithAny(context, tokenIn(context));
  const age = typeof opened?.claims['iat'] === 'number' ? context.now.getTime() / 1000 - opened.claims['iat'] : 0;
  return `opened by secret ${opened?.secret} of ${sealingSecrets.length}, issued ${Math.round(age)} s ago`;
}
