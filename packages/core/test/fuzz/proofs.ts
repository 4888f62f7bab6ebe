import { createHash } from 'node:crypto';
import type { Application } from './application.ts';
import { SECRET } from './marks.ts';
import { headerOf, type Sent } from './sent.ts';

// These readers do not share code with the library and accept more. A proof that they reject must not sign anyone in.

/** The proofs of identity in a request. Equal strings prove the same. */
export interface Proof {
  readonly kind: 'session' | 'oauth' | 'posted' | 'mail' | 'password' | 'passkey';
  readonly text: string;
}

/** All proofs in a request, whether or not they are good for anything. */
export function proofsIn(sent: Sent, app: Application): Proof[] {
  const { searchParams } = new URL(sent.origin + sent.target);
  const cookies = cookiesOf(sent);
  const origin = originOf(sent, app);
  const sealed = (name: string): string[] => (cookies.get(cookieName(origin, name)) ?? ['']).map(canonical);
  const browsers = csrfTokens(cookies, origin).map((token) => token.slice(0, BROWSER_ID));
  const id = providerIn(sent);
  // The others check the code verifier alone, which knows its browser.
  const isStrict = id === 'fake';
  const parts = [sealed('pkce.code_verifier'), browsers, ...(isStrict ? [sealed('state'), sealed('nonce')] : [])];
  const all = (name: string): string => searchParams.getAll(name).join('\0');
  const proofs = sessionsIn(cookies, cookieName(origin, 'session-token'));
  if (methodOf(sent) === 'GET') {
    const answer = [all('code'), ...(isStrict ? [all('state'), all('iss')] : [])];
    const posted = canonical(searchParams.getAll('form_post').at(-1) ?? '');
    for (const checks of combinations(parts)) {
      proofs.push(proof('oauth', id, ...answer, ...checks), proof('posted', id, posted, ...checks));
    }
    if (id === 'mail') proofs.push(proof('mail', last(searchParams, 'token'), last(searchParams, 'email')));
  }
  if (methodOf(sent) === 'POST' && isFromForm(sent, app)) {
    const fields = fieldsOf(sent);
    const either = (name: string): unknown => fields[name] ?? last(searchParams, name);
    // A mailed token is valid for each email provider.
    proofs.push(proof('mail', either('token'), either('email')));
    proofs.push(proof('password', id, fields['name'], fields['password']));
    for (const challenge of sealed('challenge')) {
      proofs.push(proof('passkey', id, challenge, fields['action'], ...signatureIn(fields['data'])));
    }
  }
  return proofs;
}

/** As the web-standard request has it; Node's does not change it. */
export function methodOf({ method }: Sent): string {
  return method.toUpperCase();
}

/** Returns whether the request seems to come from a page of Latchkey, with a CSRF token. */
export function isFromForm(sent: Sent, app: Application): boolean {
  const [site, from] = [headerOf(sent, 'sec-fetch-site'), headerOf(sent, 'origin')];
  const isOurs = from === undefined || hostOf(from) === hostOf(originOf(sent, app));
  if (app.call.forms) return site === undefined ? isOurs : site === 'same-origin' || site === 'none';
  const tokens = csrfTokens(cookiesOf(sent), originOf(sent, app)).filter((token) => token !== '');
  if (!tokens.some((token) => fieldsOf(sent)['csrfToken'] === token)) return false;
  return site === undefined ? isOurs || from === 'null' : site !== 'cross-site';
}

function proof(kind: Proof['kind'], ...parts: readonly unknown[]): Proof {
  return { kind, text: JSON.stringify([kind, ...parts]) };
}

function last(params: URLSearchParams, name: string): string | undefined {
  return params.getAll(name).at(-1);
}

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}

/** The last segment of a path: a provider, where there is one. */
export function providerIn({ target }: Sent): string {
  const segments = (target.split('?')[0] ?? '').split('/').filter((segment) => segment !== '');
  return decoded(segments.at(-1) ?? '');
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

type Cookies = ReadonlyMap<string, readonly string[]>;

const read = new WeakMap<Sent, Cookies>();

/** The values of each name. Read once: some requests have thousands. */
function cookiesOf(sent: Sent): Cookies {
  const known = read.get(sent);
  if (known) return known;
  const cookies = readCookies(sent);
  read.set(sent, cookies);
  return cookies;
}

function readCookies(sent: Sent): Cookies {
  const cookies = new Map<string, string[]>();
  for (const pair of (headerOf(sent, 'cookie') ?? '').split(';')) {
    const at = pair.indexOf('=');
    const name = pair.slice(0, Math.max(at, 0)).trim();
    const values = cookies.get(name) ?? [];
    if (at > 0 && values.length < 8) cookies.set(name, [...values, decoded(pair.slice(at + 1).trim())]);
  }
  return cookies;
}

/** Each way to take one value of each list. */
function combinations(lists: readonly (readonly string[])[]): string[][] {
  return lists.reduce<string[][]>((all, list) => all.flatMap((some) => list.map((one) => [...some, one])), [[]]);
}

/** Our origin in a request. */
export function originOf({ origin }: Pick<Sent, 'origin'>, { call }: Pick<Application, 'call'>): string {
  return call.origin ?? origin;
}

/** The name of one of our cookies. */
export function cookieName(origin: string, name: string): string {
  if (!origin.startsWith('https:')) return `authjs.${name}`;
  return `${name === 'csrf-token' ? '__Host-' : '__Secure-'}authjs.${name}`;
}

/** Characters of a CSRF token that name the browser. */
const BROWSER_ID = 22;

/** The tokens that were hashed with the secret; `''` for other values. */
function csrfTokens(cookies: Cookies, origin: string): string[] {
  return (cookies.get(cookieName(origin, 'csrf-token')) ?? ['']).map((value) => {
    const [token = '', hash] = value.split('|');
    const right = createHash('sha256')
      .update(token + SECRET)
      .digest('hex');
    return hash === right ? token : '';
  });
}

/** Returns every possible session token: each whole cookie, or any number of chunks. */
function sessionsIn(cookies: Cookies, name: string): Proof[] {
  const found = [...(cookies.get(name) ?? [])];
  let joined = [''];
  for (let index = 0; cookies.has(`${name}.${index}`) && joined.length <= 64; index++) {
    const chunks = cookies.get(`${name}.${index}`) ?? [];
    joined = joined.flatMap((start) => chunks.map((chunk) => start + chunk));
    found.push(...joined);
  }
  return found.filter((value) => value !== '').map((value) => proof('session', canonical(value)));
}

/** Decodes a compact JOSE value, because base64url has several spellings of the same bytes (RFC 4648 §3.5). */
function canonical(value: string): string {
  const [header = '', ...parts] = value.split('.');
  return [header, ...parts.map((part) => Buffer.from(part, 'base64url').toString('hex'))].join('.');
}

function fieldsOf(sent: Sent): Record<string, unknown> {
  if (sent.parsed !== undefined) return Object(sent.parsed) as Record<string, unknown>;
  const type = headerOf(sent, 'content-type')?.split(/[;,]/)[0]?.trim().toLowerCase();
  const body = Buffer.from(sent.body, 'latin1').toString('utf8');
  if (type === 'application/x-www-form-urlencoded') return Object.fromEntries(new URLSearchParams(body));
  return type === 'application/json' ? parsed(body) : {};
}

function parsed(json: unknown): Record<string, unknown> {
  try {
    return Object(JSON.parse(String(json).replace(/^\ufeff/, ''))) as Record<string, unknown>;
  } catch {
    return {};
  }
}

/** Returns the signed data of a passkey. For a new passkey, returns the client data, which are not signed. */
function signatureIn(data: unknown): unknown[] {
  const { response } = parsed(data);
  const { clientDataJSON, authenticatorData, signature } = Object(response) as Record<string, unknown>;
  const bytes = (value: unknown): Buffer => Buffer.from(String(value), 'base64url');
  if (signature !== undefined)
    return [clientDataJSON, authenticatorData, signature].map((one) => bytes(one).toString('hex'));
  const { type, challenge, origin } = parsed(bytes(clientDataJSON).toString('utf8'));
  return [type, challenge, origin];
}
