import { limits } from '../config/defaults.ts';
import type { Context } from '../context.ts';
import { equal } from '../crypto/bytes.ts';
import { sha256Base64Url } from '../crypto/hash.ts';
import { openIfValid, seal } from '../crypto/seal.ts';
import { because, InvalidCheck } from '../errors.ts';
import { deployment } from '../symbols.ts';
import type { RefusalCause } from '../types/cause.ts';
import type { Cookie } from '../types/config.ts';
import { expireCookie, repeatedCookies } from '../wire/cookie.ts';
import { sentName, withoutOtherNames } from '../wire/cookie-names.ts';
import { sealCookie } from '../wire/sealed-cookie.ts';
import { type FlowMemo, type FlowRecord, readRecords, takeRecord, writeRecords } from './flow-records.ts';
import {
  type ChallengeClaims,
  kinds,
  type OAuthFlow,
  type OAuthPart,
  type PendingLogout,
  type PostedFields,
  type ProvenAccount,
} from './kinds.ts';

/** These are in files of their own: their cookies are read several times before they are used. */
type Kind = Exclude<keyof typeof kinds, 'mail' | 'address' | 'offer'>;

/** A flow that a browser brought back. Nothing is checked before `spend()`. */
export interface PendingFlow<Value> {
  readonly value: Value;
  /** Cookies that remove the flow from the browser. Every answer carries them, also if the sign-in fails. */
  readonly cookies: readonly Cookie[];
  /**
   * Checks that the flow is complete, and that it started in this browser.
   *
   * @throws {InvalidCheck} if one of these does not hold, or if the browser brought nothing.
   */
  verify(): NonNullable<Value>;
  /**
   * The same, and that it is answered for the first time. If the store has `spendOnce`, copies of the cookies are
   * worthless from now on.
   *
   * @throws {InvalidCheck} as {@link verify} does, or if it was answered before.
   */
  spend(): Promise<NonNullable<Value>>;
}

/** A flow that starts now. */
interface NewFlow<Value> {
  /** Id of the provider. */
  readonly provider: string;
  readonly value: Value;
}

/** Starts a flow. Returns the cookies to set, or the value of the query parameter. */
export function begin(context: Context, kind: 'oauth', flow: NewFlow<OAuthFlow>): Promise<Cookie[]>;
export function begin(context: Context, kind: 'passkey', flow: NewFlow<ChallengeClaims>): Promise<Cookie[]>;
export function begin(context: Context, kind: 'formPost', flow: NewFlow<PostedFields>): Promise<string>;
export function begin(context: Context, kind: 'logout', flow: NewFlow<PendingLogout>): Promise<string>;
export function begin(context: Context, ...[kind, flow]: BeginArguments): Promise<Cookie[] | string> {
  switch (kind) {
    case 'oauth':
      return beginOAuth(context, flow.provider, flow.value);
    case 'passkey':
      return beginPasskey(context, flow.provider, flow.value);
    case 'formPost':
      return sealQuery(context, kind, flow.provider, { fields: flow.value });
    case 'logout':
      return sealQuery(context, kind, flow.provider, { ...flow.value, base: baseOf(context) });
  }
}

type BeginArguments =
  | [kind: 'oauth', flow: NewFlow<OAuthFlow>]
  | [kind: 'passkey', flow: NewFlow<ChallengeClaims>]
  | [kind: 'formPost', flow: NewFlow<PostedFields>]
  | [kind: 'logout', flow: NewFlow<PendingLogout>];

interface FlowQuery {
  /** Id of the provider that the callback names. */
  readonly provider: string;
}

/** The authorization request that a callback answers. */
interface OAuthQuery extends FlowQuery {
  /** The callback's `state`. */
  readonly id: string | undefined;
  /** Whether a callback without `state` matches no flow. Otherwise it matches the provider's newest. */
  readonly needsId: boolean;
  /** Whether the request may have had no parts at all, so that the browser has nothing to bring back. */
  readonly mayBeEmpty: boolean;
}

type MaybeFlow<Value> = PendingFlow<Value | undefined>;

/** Takes the flow that the request answers out of the browser. */
export function take(context: Context, kind: 'oauth', query: OAuthQuery): Promise<PendingFlow<OAuthFlow>>;
export function take(context: Context, kind: 'passkey', query: FlowQuery): Promise<MaybeFlow<ChallengeClaims>>;
export function take(context: Context, kind: 'formPost', query: FlowQuery): Promise<MaybeFlow<PostedFields>>;
export function take(context: Context, kind: 'logout', query: FlowQuery): Promise<MaybeFlow<PendingLogout>>;
export function take(context: Context, ...[kind, query]: TakeArguments): Promise<PendingFlow<unknown>> {
  switch (kind) {
    case 'oauth':
      return takeOAuth(context, query);
    case 'passkey':
      return takePasskey(context, query.provider);
    case 'formPost':
      return takeFormPost(context, query.provider);
    case 'logout':
      return takeLogout(context, query.provider);
  }
}

type TakeArguments = [kind: 'oauth', query: OAuthQuery] | [kind: 'passkey' | 'formPost' | 'logout', query: FlowQuery];

/** Facts about a flow that was taken, which {@link PendingFlow.spend} checks. */
interface TakenFlow<Value> {
  readonly value: Value;
  readonly cookies: readonly Cookie[];
  /** Whether all parts that were issued together are there, and no part of another flow. */
  readonly isComplete: boolean;
  /** In which browser each part was issued; `undefined` if a part that has to tell does not. */
  readonly browsers: readonly (string | undefined)[];
  /** Keys under which the store remembers that the flow was answered. */
  readonly spentKeys: readonly string[];
}

function pendingFlow<Value>(
  context: Context,
  kind: Kind,
  provider: string,
  taken: TakenFlow<Value>,
): PendingFlow<Value> {
  const { value } = taken;
  const cookies = withoutOtherNames(context.cookies, context.cookieTable, taken.cookies);
  const verify = (): NonNullable<Value> => verifyFlow(context, kind, provider, taken);
  const spend = async (): Promise<NonNullable<Value>> => {
    const verified = verify();
    await spendKeys(context, kind, provider, taken.spentKeys);
    return verified;
  };
  return { value, cookies, verify, spend };
}

function verifyFlow<Value>(
  context: Context,
  kind: Kind,
  provider: string,
  { value, isComplete, browsers }: TakenFlow<Value>,
): NonNullable<Value> {
  const { boundTo, check, words } = kinds[kind];
  const refuse = (message: string, failed: string, cause: RefusalCause): never => {
    throw because(cause, new InvalidCheck(withOtherHost(context, message), { provider, check: failed }));
  };
  if (value === undefined || value === null) return refuse(words.missing, check, 'flow-missing');
  // A cookie that is removed, broken, or replaced by one of another sign-in must not switch its check off.
  if (!isComplete) return refuse('the cookies are not those of one whole sign-in', 'once', 'flow-missing');
  const here = browserOf(context);
  if (boundTo.includes('browser') && browsers.some((browser) => !browser || !here || !equal(browser, here)))
    return refuse('the sign-in was started in another browser', 'browser', 'flow-of-other-browser');
  return value;
}

/**
 * Returns the message with the two hosts, if the browser has used another host than that of `AUTH_URL`. It sends the
 * cookies of one host to no other, so a sign-in that starts at one cannot end at the other.
 */
export function withOtherHost({ settings, incoming, origin }: Context, message: string): string {
  const { host } = new URL(incoming.url);
  if (settings.config[deployment]?.origin !== origin || host === new URL(origin).host) return message;
  return `${message}: the request came to ${JSON.stringify(host)}, but AUTH_URL is ${JSON.stringify(origin)}. Open the site at the address of AUTH_URL, or correct AUTH_URL`;
}

async function spendKeys(context: Context, kind: Kind, provider: string, keys: readonly string[]): Promise<void> {
  const { seconds, words } = kinds[kind];
  const store = keys.length > 0 ? await context.settings.store() : undefined;
  if (!store?.spendOnce) return;
  const expires = new Date(context.now.getTime() + seconds * 1000);
  for (const key of keys) {
    if (!(await store.spendOnce(key, expires)))
      throw because('flow-used', new InvalidCheck(words.spent ?? words.missing, { provider, check: 'once' }));
  }
}

/** Characters of a hash that tell flows apart: 16 bytes. */
const ID_LENGTH = 22;

function browserOf({ browser }: Context): string | undefined {
  return browser?.id;
}

async function idOf(secret: string): Promise<string> {
  return (await sha256Base64Url(secret)).slice(0, ID_LENGTH);
}

// Authorization requests: a cookie for each part, up to four requests in each.

async function beginOAuth(context: Context, provider: string, flow: OAuthFlow): Promise<Cookie[]> {
  const { secrets, returnTo, startedBy, adds, checksPkce, proven, requested, scope } = flow;
  const parts = kinds.oauth.cookies.filter((part) => secrets[part] !== undefined);
  const flowId = secrets.state && (await idOf(secrets.state));
  const due = secondsOf(context.now) + kinds.oauth.seconds;
  // Each part names its browser and all parts, so that a part is checked even if the request lacks some of the others.
  const bound: FlowMemo = { browser: browserOf(context), parts, ...proven };
  const ofState = { returnTo, by: startedBy, adds, pkce: checksPkce || undefined, params: requested, scope };
  const whole: FlowMemo = { ...bound, ...ofState };
  const cookies = context.browser?.cookie ? [context.browser.cookie] : [];
  for (const part of kinds.oauth.cookies) {
    const value = secrets[part];
    if (value === undefined) continue;
    const memo = part === 'state' ? whole : bound;
    cookies.push(await addRecord(context, part, { value, provider, due, flowId, memo }));
  }
  return cookies;
}

/** Adds a record to a cookie. The oldest ones go if there are too many, or if the cookie would be too long. */
async function addRecord(context: Context, part: OAuthPart, record: FlowRecord): Promise<Cookie> {
  const pending = (await pendingRecords(context, part)).slice(0, kinds.oauth.keep - 1);
  for (;;) {
    const cookie = await recordCookie(context, part, [record, ...pending]);
    if (pending.length === 0 || cookie.name.length + cookie.value.length < limits.flowCookie) return cookie;
    pending.pop();
  }
}

async function takeOAuth(context: Context, query: OAuthQuery): Promise<PendingFlow<OAuthFlow>> {
  const { provider, id, needsId, mayBeEmpty } = query;
  const flowId = id === undefined ? undefined : await idOf(id);
  const found = new Map<string, FlowRecord>();
  const cookies: Cookie[] = [];
  for (const part of kinds.oauth.cookies) {
    if (context.cookies[sentName(context.cookies, context.cookieTable[part])] === undefined) continue;
    const { record, rest } = takeRecord(await pendingRecords(context, part), { provider, flowId, needsId });
    if (record) found.set(part, record);
    cookies.push(await recordCookie(context, part, rest));
  }
  if (id === undefined) dropRemains(found);
  return pendingFlow(context, 'oauth', provider, {
    value: flowOf(found),
    cookies,
    isComplete: found.size === 0 ? mayBeEmpty : isComplete(found),
    browsers: [...found.values()].filter(isOwnRecord).map(({ memo }) => memo?.browser),
    spentKeys: await spentKeysOf(provider, [...found.values()]),
  });
}

/**
 * Drops the records of this library if one of the records is by Auth.js v5. For a callback without `state` only:
 * Auth.js replaces the cookies that it uses, so the records in the other cookies belong to an earlier request.
 */
function dropRemains(found: Map<string, FlowRecord>): void {
  const own = [...found].filter(([, record]) => isOwnRecord(record));
  if (own.length < found.size) for (const [part] of own) found.delete(part);
}

function flowOf(found: ReadonlyMap<string, FlowRecord>): OAuthFlow {
  const state = found.get('state');
  return {
    secrets: {
      state: state?.value,
      pkceCodeVerifier: found.get('pkceCodeVerifier')?.value,
      nonce: found.get('nonce')?.value,
    },
    returnTo: state?.memo?.returnTo,
    startedBy: state?.memo?.by,
    adds: state?.memo?.adds,
    checksPkce: state?.memo?.pkce,
    requested: state?.memo?.params,
    scope: state?.memo?.scope,
    proven: provenOf([...found.values()]),
    startedAt: startOf([...found.values()]),
  };
}

/** Each part has it, because a request need not have a state of this library. */
function provenOf([part]: readonly FlowRecord[]): ProvenAccount | undefined {
  const { email, account } = part?.memo ?? {};
  return email === undefined || account === undefined ? undefined : { email, account };
}

/** Every part expires at the same instant, so the start follows from any of them. */
function startOf([part]: readonly FlowRecord[]): number | undefined {
  return part && part.due - kinds.oauth.seconds;
}

/**
 * Returns whether the records are those of one flow, and whether each part is there that one of them names. Records of
 * Auth.js have no id and name no parts; records of earlier versions have an id only.
 */
function isComplete(found: ReadonlyMap<string, FlowRecord>): boolean {
  const records = [...found.values()];
  const ids = new Set(records.map(({ flowId }) => flowId).filter((flowId) => flowId !== undefined));
  if (ids.size > 1) return false;
  return records.every(({ flowId, memo }) =>
    (memo?.parts ?? []).every((part) => found.has(part) && found.get(part)?.flowId === flowId),
  );
}

/** Returns whether this library wrote the record. It then has to name its browser. */
function isOwnRecord({ flowId, memo }: FlowRecord): boolean {
  return flowId !== undefined || memo?.browser !== undefined;
}

async function spentKeysOf(provider: string, records: readonly FlowRecord[]): Promise<string[]> {
  const ids = new Set<string>();
  for (const { flowId, value } of records) ids.add(flowId ?? (await idOf(value)));
  return [...ids].map((id) => `flow:${provider}:${id}`);
}

/**
 * Returns the records of a part. Another subdomain can set a cookie of the same name, so all of them are read. If there
 * are several, records of another browser are left out, because they would take the place of others.
 */
async function pendingRecords(context: Context, part: OAuthPart): Promise<FlowRecord[]> {
  const { cookies, cookieHeader, cookieTable, settings, now } = context;
  const name = sentName(cookies, cookieTable[part]);
  if (cookies[name] === undefined) return [];
  const values = repeatedCookies(cookieHeader, name).get(name) ?? [];
  const opening = { secrets: settings.sealingSecrets, salt: name, now };
  const payloads = await Promise.all(values.map((value) => openIfValid(value, opening)));
  const records = payloads.flatMap((payload) => (payload ? readRecords(payload, secondsOf(now)) : []));
  const here = browserOf(context);
  return values.length < 2 ? records : records.filter((one) => !isOwnRecord(one) || one.memo?.browser === here);
}

/** Returns the cookie with these records. If the list is empty, the cookie expires the one in the browser. */
async function recordCookie(context: Context, part: OAuthPart, records: readonly FlowRecord[]): Promise<Cookie> {
  const { cookieTable, settings, now } = context;
  const { name, options } = cookieTable[part];
  const [newest, ...older] = records;
  if (!newest) return expireCookie(cookieTable[part]);
  const maxAge = Math.max(...records.map(({ due }) => due)) - secondsOf(now);
  // The nonce's cookie has no Max-Age, only the `Expires` of its seal.
  const lasting = options.maxAge === undefined ? options : { ...options, maxAge: Math.min(options.maxAge, maxAge) };
  const sealing = { secrets: settings.sealingSecrets, maxAge, now };
  return sealCookie({ name, options: lasting }, writeRecords([newest, ...older]), sealing);
}

function secondsOf(instant: Date): number {
  return Math.floor(instant.getTime() / 1000);
}

// Passkeys: one challenge, as a token inside the cookie's token, which is the shape that Auth.js v5 reads.

const CHALLENGE_SALT = 'encodedWebauthnChallenge';
/**
 * The inner token is padded to a multiple of this many bytes: the cookie's length must not tell whether a user exists.
 */
const CHALLENGE_BLOCK = 256;

async function beginPasskey(context: Context, provider: string, claims: ChallengeClaims): Promise<Cookie[]> {
  const { settings, cookieTable, now, browser } = context;
  const sealing = { secrets: settings.sealingSecrets, maxAge: kinds.passkey.seconds, now };
  // Bound only to a token that the browser brought. A page may ask for challenge and session at once. A new browser
  // then gets two tokens, and keeps one.
  const bound = padded({ ...claims, browser: browser?.isBrought ? browserOf(context) : undefined });
  const value = await seal(bound, { ...sealing, salt: CHALLENGE_SALT });
  return [await sealCookie(cookieTable.webauthnChallenge, { value, provider }, sealing)];
}

function padded(claims: object): object {
  const length = new TextEncoder().encode(JSON.stringify(claims)).byteLength;
  return { ...claims, pad: ' '.repeat(CHALLENGE_BLOCK - (length % CHALLENGE_BLOCK)) };
}

async function takePasskey(context: Context, provider: string): Promise<MaybeFlow<ChallengeClaims>> {
  const { cookies, cookieTable } = context;
  const option = cookieTable.webauthnChallenge;
  const value = await openChallenge(context, provider);
  const browser = value?.['browser'];
  return pendingFlow(context, 'passkey', provider, {
    value,
    cookies: cookies[sentName(cookies, option)] === undefined ? [] : [expireCookie(option)],
    isComplete: true,
    // Challenges of Auth.js v5 do not name a browser, nor do those for a browser without a CSRF cookie.
    browsers: browser === undefined ? [] : [typeof browser === 'string' ? browser : undefined],
    spentKeys: value ? [`webauthn:${provider}:${await sha256Base64Url(value.challenge)}`] : [],
  });
}

/**
 * Returns the challenge. If another subdomain has set a cookie of the same name, that of this browser counts. If none
 * names this browser, the last counts: browsers send cookies with longer paths first (RFC 6265 §5.4).
 */
async function openChallenge(context: Context, provider: string): Promise<ChallengeClaims | undefined> {
  const { cookieHeader, cookies, cookieTable } = context;
  const name = sentName(cookies, cookieTable.webauthnChallenge);
  const values = repeatedCookies(cookieHeader, name).get(name) ?? [];
  const opened = await Promise.all(values.map((value) => openChallengeCookie(context, provider, { name, value })));
  const found = opened.filter((claims) => claims !== undefined);
  return found.find((claims) => claims['browser'] === browserOf(context)) ?? found.at(-1);
}

async function openChallengeCookie(
  { settings, now }: Context,
  provider: string,
  { name, value }: Pick<Cookie, 'name' | 'value'>,
): Promise<ChallengeClaims | undefined> {
  const opening = { secrets: settings.sealingSecrets, now };
  const outer = await openIfValid(value, { ...opening, salt: name });
  if (outer?.['provider'] !== provider || typeof outer['value'] !== 'string') return undefined;
  const claims = await openIfValid(outer['value'], { ...opening, salt: CHALLENGE_SALT });
  const challenge = claims?.['challenge'];
  return typeof challenge === 'string' && challenge !== '' ? { ...claims, challenge } : undefined;
}

// Posted fields, and sign-outs at a provider: a sealed query parameter.

type QueryKind = 'formPost' | 'logout';

/** A value of one kind does not open in the place of another. */
const QUERY_SALTS: Readonly<Record<QueryKind, string>> = {
  formPost: 'latchkey.form-post',
  logout: 'latchkey.logout',
};

function sealQuery({ settings, now }: Context, kind: QueryKind, provider: string, content: object): Promise<string> {
  const sealing = { secrets: settings.sealingSecrets, maxAge: kinds[kind].seconds, now };
  return seal({ ...content, provider }, { ...sealing, salt: QUERY_SALTS[kind] });
}

async function openQuery(
  { settings, now, query }: Context,
  kind: QueryKind,
  provider: string,
): Promise<Record<string, unknown> | undefined> {
  const opening = { secrets: settings.sealingSecrets, salt: QUERY_SALTS[kind], now };
  const payload = await openIfValid(query[kinds[kind].query] ?? '', opening);
  return payload?.['provider'] === provider ? payload : undefined;
}

async function takeFormPost(context: Context, provider: string): Promise<MaybeFlow<PostedFields>> {
  const fields = (await openQuery(context, 'formPost', provider))?.['fields'];
  const value = Array.isArray(fields) ? fields.filter(isField) : undefined;
  return pendingFlow(context, 'formPost', provider, withoutCookies(value));
}

async function takeLogout(context: Context, provider: string): Promise<MaybeFlow<PendingLogout>> {
  const { base, returnTo } = (await openQuery(context, 'logout', provider)) ?? {};
  // Sites that share a secret must not send each other's visitors anywhere.
  const isOwn = base === baseOf(context) && typeof returnTo === 'string';
  return pendingFlow(context, 'logout', provider, withoutCookies(isOwn ? { returnTo } : undefined));
}

function baseOf({ origin, basePath }: Context): string {
  return origin + basePath;
}

function withoutCookies<Value>(value: Value): TakenFlow<Value> {
  return { value, cookies: [], isComplete: true, browsers: [], spentKeys: [] };
}

function isField(field: unknown): field is [name: string, value: string] {
  return Array.isArray(field) && typeof field[0] === 'string' && typeof field[1] === 'string';
}
