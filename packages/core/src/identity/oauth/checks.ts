import { chain, eachResult } from '../../chain.ts';
import { limits } from '../../config/defaults.ts';
import type { OAuthProvider } from '../../config/provider.ts';
import type { Context } from '../../context.ts';
import { equal } from '../../crypto/equal.ts';
import { sha256Base64Url } from '../../crypto/hash.ts';
import { randomBase64Url } from '../../crypto/random.ts';
import { InvalidCheck } from '../../errors.ts';
import type { Awaitable, Cookie, CookieOption } from '../../types.ts';
import { expireCookie } from '../../wire/expire-cookie.ts';
import { openCookie, sealCookie } from '../../wire/sealed-cookie.ts';
import { type Flow, type FlowMemo, type FlowQuery, readFlows, takeFlow, writeFlows } from './flows.ts';
import { proxyState } from './proxy.ts';

/** The cookies that remember authorization requests; the keys of the cookie table. */
type CheckKey = 'state' | 'pkceCodeVerifier' | 'nonce';
const KEYS: readonly CheckKey[] = ['state', 'pkceCodeVerifier', 'nonce'];

const RANDOM_BYTES = 32;
/** Characters of the state's hash that tell flows apart: 16 bytes. */
const TAG = 22;

/** What an authorization request carries, and the cookies that remember it. */
export interface Begun {
  /** Parameters: `state`, `code_challenge` with its method, `nonce`; those that are wanted. */
  readonly params: Readonly<Record<string, string>>;
  readonly cookies: readonly Cookie[];
}

/** Which protections an authorization request gets. */
export interface Wanted {
  /** `false` only where the owner's own `state` stands in the authorization parameters. */
  readonly state: boolean;
  readonly pkce: boolean;
  readonly nonce: boolean;
}

/**
 * Draws state, code verifier (RFC 7636 §4.1) and nonce, and adds them to the browser's pending flows.
 */
export function beginChecks(
  context: Context,
  provider: OAuthProvider,
  wanted: Wanted,
  memo: FlowMemo,
): Awaitable<Begun> {
  const verifier = wanted.pkce ? randomBase64Url(RANDOM_BYTES) : undefined;
  const nonce = wanted.nonce ? randomBase64Url(RANDOM_BYTES) : undefined;
  return chain(wanted.state ? newState(context, provider) : undefined, (state) => {
    const drawn: Drawn = { state, pkceCodeVerifier: verifier, nonce };
    return chain(remember(context, provider, drawn, memo), (cookies) =>
      chain(paramsOf(drawn), (params) => ({ params, cookies })),
    );
  });
}

/** What an authorization request is recognised by; by the cookie that remembers it. */
type Drawn = Readonly<Record<CheckKey, string | undefined>>;

function remember(context: Context, { id }: OAuthProvider, drawn: Drawn, memo: FlowMemo): Awaitable<Cookie[]> {
  const { state } = drawn;
  const due = secondsOf(context.now) + limits.flowAge;
  // Each cookie knows its browser: planted in another one, none of them is worth anything, whichever is left out.
  const bound = memo.browser === undefined ? undefined : { browser: memo.browser };
  return chain(state && tagOf(state), (tag) =>
    eachResult(
      KEYS.filter((key) => drawn[key] !== undefined),
      (key) => {
        const value = drawn[key] as string;
        return add(context, key, { value, provider: id, due, tag, memo: key === 'state' ? memo : bound });
      },
    ),
  );
}

function paramsOf({ state, pkceCodeVerifier, nonce }: Drawn): Awaitable<Begun['params']> {
  return chain(pkceCodeVerifier && sha256Base64Url(pkceCodeVerifier), (challenge) => {
    const params: Record<string, string> = {};
    if (state) params['state'] = state;
    if (challenge) {
      params['code_challenge'] = challenge;
      params['code_challenge_method'] = 'S256';
    }
    if (nonce) params['nonce'] = nonce;
    return params;
  });
}

function newState(context: Context, provider: OAuthProvider): Awaitable<string> {
  const random = randomBase64Url(RANDOM_BYTES);
  return provider.proxy === 'via' ? proxyState(context, random, provider.callbackUrl) : random;
}

function add(context: Context, key: CheckKey, flow: Flow): Awaitable<Cookie> {
  return chain(pendingFlows(context, key), (pending) =>
    fitting(context, key, [flow, ...pending].slice(0, limits.flows)),
  );
}

/** As many flows as a cookie may be long, the newest in any case. */
function fitting(context: Context, key: CheckKey, flows: readonly Flow[]): Awaitable<Cookie> {
  return chain(write(context, key, flows), (cookie) =>
    flows.length === 1 || cookie.name.length + cookie.value.length < limits.flowCookie
      ? cookie
      : fitting(context, key, flows.slice(0, -1)),
  );
}

function pendingFlows(context: Context, key: CheckKey): Awaitable<Flow[]> {
  const { cookies, cookieTable, settings, now } = context;
  const opening = openCookie(cookies, cookieTable[key], { secrets: settings.sealingSecrets, now });
  return chain(opening, (payload) => (payload ? readFlows(payload, secondsOf(now)) : []));
}

function write(context: Context, key: CheckKey, flows: readonly Flow[]): Awaitable<Cookie> {
  const { cookieTable, settings, now } = context;
  if (flows.length === 0) return expireCookie(cookieTable[key]);
  const maxAge = Math.max(...flows.map((flow) => flow.due)) - secondsOf(now);
  const { name, options } = cookieTable[key];
  // The nonce cookie has no Max-Age, only the `Expires` of its seal; the others never outlive theirs.
  const lasting = options.maxAge === undefined ? options : { ...options, maxAge: Math.min(options.maxAge, maxAge) };
  const option: CookieOption = { name, options: lasting };
  return sealCookie(option, writeFlows(flows), { secrets: settings.sealingSecrets, maxAge, now });
}

/** The checks of one callback, taken out of the browser's pending flows. */
export interface Taken {
  readonly state: string | undefined;
  readonly codeVerifier: string | undefined;
  readonly nonce: string | undefined;
  readonly memo: FlowMemo;
  /** What to remember of the flow once it is answered: the hash of its state or, where another library wrote them, of each value. */
  readonly marks: readonly string[];
  /** The cookies are of one flow, as far as they tell: those of another library do not. */
  readonly isOne: boolean;
  /** In which browser each of the three was set; `undefined` for one of ours that does not say it. Another library's are left out. */
  readonly browsers: readonly (string | undefined)[];
  /** The check cookies without the flow; every answer that read them carries these, whatever comes after. */
  readonly cookies: readonly Cookie[];
}

/**
 * Takes the flow that a callback belongs to out of the check cookies. Nothing is judged here: see {@link verifyTaken}.
 *
 * @param state The callback's `state` parameter.
 */
export function takeChecks(context: Context, provider: OAuthProvider, state: string | undefined): Awaitable<Taken> {
  const stateChecked = provider.checks.includes('state') || provider.checks.includes('none');
  return chain(state === undefined ? undefined : tagOf(state), (tag) => {
    const query: FlowQuery = { provider: provider.id, tag, stateChecked };
    const found: Partial<Record<CheckKey, Flow>> = {};
    const set = KEYS.filter((key) => context.cookies[context.cookieTable[key].name] !== undefined);
    const clearing = eachResult(set, (key) =>
      chain(pendingFlows(context, key), (pending) => {
        const { flow, rest } = takeFlow(pending, query);
        if (flow) found[key] = flow;
        return write(context, key, rest);
      }),
    );
    return chain(clearing, (cookies) => takenOf(found, cookies));
  });
}

function takenOf(found: Readonly<Partial<Record<CheckKey, Flow>>>, cookies: readonly Cookie[]): Awaitable<Taken> {
  const flows = Object.values(found);
  const tagged = flows.find(({ tag }) => tag !== undefined);
  return chain(marksOf(flows), (marks) => ({
    marks,
    isOne: flows.every(({ tag }) => tag === undefined || tag === tagged?.tag),
    state: found.state?.value,
    codeVerifier: found.pkceCodeVerifier?.value,
    nonce: found.nonce?.value,
    memo: found.state?.memo ?? {},
    browsers: flows.filter(({ tag, memo }) => (tag ?? memo?.browser) !== undefined).map(({ memo }) => memo?.browser),
    cookies,
  }));
}

function marksOf(flows: readonly Flow[]): Awaitable<string[]> {
  const marking = eachResult(flows, ({ tag, value }) => tag ?? tagOf(value));
  return chain(marking, (marks) => [...new Set(marks)]);
}

/**
 * Is the callback an answer to a request that this browser made at this provider, and not long ago?
 *
 * @throws {InvalidCheck} when a check of the provider has no cookie, or the state is another one.
 */
export function verifyTaken(context: Context, provider: OAuthProvider, taken: Taken, state: string | undefined): void {
  const facts = { provider: provider.id };
  // A flow that was answered, mixed with a new one, would pass for a third.
  if (!taken.isOne) throw new InvalidCheck('the cookies are of several sign-ins', { ...facts, check: 'once' });
  if (provider.checks.includes('pkce') && taken.codeVerifier === undefined) {
    throw new InvalidCheck(
      "no code verifier belongs to this callback: its cookie is missing, too old, or another sign-in's",
      { ...facts, check: 'pkce' },
    );
  }
  if (provider.checks.includes('nonce') && taken.nonce === undefined) {
    throw new InvalidCheck("no nonce belongs to this callback: its cookie is missing, too old, or another sign-in's", {
      ...facts,
      check: 'nonce',
    });
  }
  const stateWanted = provider.checks.includes('state') || taken.state !== undefined;
  if (stateWanted && !sameState(taken, state, provider)) {
    throw new InvalidCheck('the state is not the one that was issued to this browser', { ...facts, check: 'state' });
  }
  const here = context.browser && browserOf(context.browser.token);
  if (taken.browsers.some((browser) => !browser || !here || !equal(browser, here))) {
    throw new InvalidCheck('the sign-in was started in another browser', { ...facts, check: 'browser' });
  }
}

/**
 * A flow is answered once, also when its cookies were copied: a store that can remembers it for as long as it could be answered.
 *
 * @throws {InvalidCheck} when it was answered before.
 */
export function spendFlow({ settings, now }: Context, { id }: OAuthProvider, { marks }: Taken): Awaitable<void> {
  if (marks.length === 0) return;
  return chain(settings.store(), (store) => {
    const expires = new Date(now.getTime() + limits.flowAge * 1000);
    return store?.spendOnce && spend(id, marks, (key) => store.spendOnce?.(key, expires));
  });
}

async function spend(
  provider: string,
  marks: readonly string[],
  once: (key: string) => Awaitable<boolean | undefined>,
): Promise<void> {
  for (const mark of marks) {
    if (await once(`flow:${provider}:${mark}`)) continue;
    throw new InvalidCheck('this callback was answered before', { provider, check: 'once' });
  }
}

/**
 * A provider that does not echo the state (RFC 6749 §4.1.2 demands it) passes only where the state is no check of its own, and
 * where something else ties its answer to this flow (RFC 9700 §4.7.1): the nonce, or PKCE that the provider is known to check.
 */
function sameState(
  { state: issued, nonce, memo }: Taken,
  answered: string | undefined,
  provider: OAuthProvider,
): boolean {
  if (answered === undefined) return !provider.checks.includes('state') && (nonce !== undefined || memo.pkce === true);
  return issued !== undefined && equal(issued, answered);
}

/** What a flow remembers of the browser that started it. */
export function browserOf(csrfToken: string): string {
  return csrfToken.slice(0, TAG);
}

function tagOf(state: string): Awaitable<string> {
  return chain(sha256Base64Url(state), (hash) => hash.slice(0, TAG));
}

function secondsOf(instant: Date): number {
  return Math.floor(instant.getTime() / 1000);
}
