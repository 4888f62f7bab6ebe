import { createHash } from 'node:crypto';
import type { Application } from './application.ts';
import { SECRET } from './marks.ts';
import { headerOf, type Sent } from './sent.ts';

// Read by other code than the library's, and rather too generously: what these find unknown, nobody may be let in with.

/** What a request brings to prove who somebody is. Equal texts prove the same. */
export interface Proof {
  readonly kind: 'session' | 'oauth' | 'posted' | 'mail' | 'password' | 'passkey';
  readonly text: string;
}

/** All proofs in a request, whether or not they are good for anything. */
export function proofsIn(sent: Sent, app: Application): Proof[] {
  const { searchParams } = new URL(sent.origin + sent.target);
  const cookies = cookiesOf(sent);
  const origin = originOf(sent, app);
  const sealed = (name: string): string => canonical(cookies.get(cookieName(origin, name)) ?? '');
  const csrf = csrfToken(cookies, origin);
  const id = providerIn(sent);
  // The others check the code verifier alone, which knows its browser.
  const isStrict = id === 'fake';
  const checks = [sealed('pkce.code_verifier'), csrf, ...(isStrict ? [sealed('state'), sealed('nonce')] : [])];
  const all = (name: string): string => searchParams.getAll(name).join('\0');
  const proofs = sessionsIn(cookies, cookieName(origin, 'session-token'));
  if (methodOf(sent) === 'GET') {
    const answer = [all('code'), ...(isStrict ? [all('state'), all('iss')] : [])];
    proofs.push(proof('oauth', id, ...answer, ...checks));
    proofs.push(proof('posted', id, canonical(searchParams.getAll('form_post').at(-1) ?? ''), ...checks));
    if (id === 'mail') proofs.push(proof('mail', last(searchParams, 'token'), last(searchParams, 'email')));
  }
  if (methodOf(sent) === 'POST' && isFromForm(sent, app)) {
    const fields = fieldsOf(sent);
    const either = (name: string): unknown => fields[name] ?? last(searchParams, name);
    // A mailed token is its reader's at whichever provider of mails.
    proofs.push(proof('mail', either('token'), either('email')));
    proofs.push(proof('password', id, fields['name'], fields['password']));
    proofs.push(proof('passkey', id, sealed('challenge'), fields['action'], ...signatureIn(fields['data'])));
  }
  return proofs;
}

/** As the web-standard request has it; Node's does not change it. */
export function methodOf({ method }: Sent): string {
  return method.toUpperCase();
}

/** Does it come from a form of ours, with its token, as far as anybody can tell? */
export function isFromForm(sent: Sent, app: Application): boolean {
  const [site, from] = [headerOf(sent, 'sec-fetch-site'), headerOf(sent, 'origin')];
  const isOurs = from === undefined || hostOf(from) === hostOf(originOf(sent, app));
  if (app.call.skipCSRF) return site === undefined ? isOurs : site === 'same-origin' || site === 'none';
  const token = csrfToken(cookiesOf(sent), originOf(sent, app));
  if (token === '' || fieldsOf(sent)['csrfToken'] !== token) return false;
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

const read = new WeakMap<Sent, ReadonlyMap<string, string>>();

/** By name; of equal names the first. Read once: some requests have thousands. */
function cookiesOf(sent: Sent): ReadonlyMap<string, string> {
  const known = read.get(sent);
  if (known) return known;
  const cookies = readCookies(sent);
  read.set(sent, cookies);
  return cookies;
}

function readCookies(sent: Sent): ReadonlyMap<string, string> {
  const cookies = new Map<string, string>();
  for (const pair of (headerOf(sent, 'cookie') ?? '').split(';')) {
    const at = pair.indexOf('=');
    const name = pair.slice(0, Math.max(at, 0)).trim();
    if (at > 0 && !cookies.has(name)) cookies.set(name, decoded(pair.slice(at + 1).trim()));
  }
  return cookies;
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

function csrfToken(cookies: ReadonlyMap<string, string>, origin: string): string {
  const [token = '', hash] = cookies.get(cookieName(origin, 'csrf-token'))?.split('|') ?? [];
  const right = createHash('sha256')
    .update(token + SECRET)
    .digest('hex');
  return hash === right ? token : '';
}

/** Every session that could be meant: the whole cookie, or as many chunks as somebody likes. */
function sessionsIn(cookies: ReadonlyMap<string, string>, name: string): Proof[] {
  const found = [cookies.get(name) ?? ''];
  let joined = '';
  for (let index = 0; cookies.has(`${name}.${index}`); index++) {
    joined += cookies.get(`${name}.${index}`);
    found.push(joined);
  }
  return found.filter((value) => value !== '').map((value) => proof('session', canonical(value)));
}

/** A compact JOSE value by its bytes: base64url has several spellings of them (RFC 4648 §3.5). Its header is sealed as it stands. */
function canonical(value: string): string {
  const [header = '', ...parts] = value.split('.');
  return [header, ...parts.map((part) => Buffer.from(part, 'base64url').toString('hex'))].join('.');
}

function fieldsOf(sent: Sent): Record<string, unknown> {
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

/** What a passkey has signed; of a new one what the browser says, since nothing is signed. */
function signatureIn(data: unknown): unknown[] {
  const { response } = parsed(data);
  const { clientDataJSON, authenticatorData, signature } = Object(response) as Record<string, unknown>;
  const bytes = (value: unknown): Buffer => Buffer.from(String(value), 'base64url');
  if (signature !== undefined)
    return [clientDataJSON, authenticatorData, signature].map((one) => bytes(one).toString('hex'));
  const { type, challenge, origin } = parsed(bytes(clientDataJSON).toString('utf8'));
  return [type, challenge, origin];
}
