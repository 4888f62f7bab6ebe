import type { Answer, SetCookie } from './answers.ts';
import { ELEMENT } from './marks.ts';
import { originOf } from './proofs.ts';
import type { Trial } from './rules.ts';

/** Returns the faults in the headers, the cookies and the markup of a response. */
export function headerFaults({ app, sent, answer }: Trial): (string | false)[] {
  const { headers, cookies } = answer;
  const isSecure = originOf(sent, app).startsWith('https:');
  return [
    [...headers].some(([, value]) => CONTROLS.test(value)) && 'has control characters in a header',
    /[^\x21-\x7e]/.test(headers.get('location') ?? '') && 'has a Location that is not visible ASCII',
    headers.get('x-content-type-options') !== 'nosniff' && 'lets browsers guess the type',
    headers.has('access-control-allow-origin') && 'allows other origins',
    cookies.length > 0 && !/private.*no-store/.test(headers.get('cache-control') ?? '') && 'lets a cookie be cached',
    cookies.length > MOST_COOKIES && `sets ${cookies.length} cookies`,
    ...cookies.map((cookie) => cookieFault(cookie, isSecure)),
    ...pageFaults(answer),
  ];
}

const CONTROLS = /[^\t\x20-\x7e\x80-\xff]/;
/** Each cookie of Latchkey, and twice as many session chunks as it reads. */
const MOST_COOKIES = 9 + 40;

const NAMES =
  /^((__Host-)?authjs\.(csrf-token|browser|mail)|(__Secure-)?authjs\.(callback-url|pkce\.code_verifier|state|nonce|challenge|session-token(\.1?\d)?))$/;

/** Attributes as the table of our cookies has them; browsers drop what is longer than 4096. */
function cookieFault({ line, name, attributes }: SetCookie, isSecure: boolean): string | false {
  const expires = attributes.get('expires');
  const isRight =
    NAMES.test(name) &&
    attributes.has('httponly') &&
    attributes.get('samesite') === 'Lax' &&
    attributes.get('path') === '/' &&
    !attributes.has('domain') &&
    attributes.has('secure') === isSecure &&
    name.startsWith('__') === isSecure &&
    line.length <= 4096 + 150 &&
    (expires === undefined || !Number.isNaN(Date.parse(expires)));
  return !isRight && `sets a wrong cookie: ${line}`;
}

const PAGE_HEADERS: Readonly<Record<string, RegExp>> = {
  'content-security-policy': /^default-src 'none'.*base-uri 'none'; frame-ancestors 'none'$/,
  'x-frame-options': /^DENY$/,
  'referrer-policy': /^(same-origin|strict-origin|no-referrer)$/,
  'cache-control': /^private, no-store$/,
};

const TYPES = /^(application\/json|text\/html; charset=utf-8|text\/javascript; charset=utf-8)$/;

function pageFaults({ headers, body, status }: Answer): (string | false)[] {
  const type = headers.get('content-type') ?? '';
  const isRedirect = status >= 300 && status < 400;
  if (body !== '' && !TYPES.test(type)) return [`has a body of type ${JSON.stringify(type)}`];
  if (isRedirect && body !== '') return ['has a redirect with a body'];
  if (!type.startsWith('text/html')) return [];
  const wrong = Object.entries(PAGE_HEADERS).filter(([name, rule]) => !rule.test(headers.get(name) ?? ''));
  return [
    ...wrong.map(([name]) => `has a page with ${name}: ${headers.get(name)}`),
    body.toLowerCase().includes(ELEMENT) && 'writes what was sent as an element',
  ];
}
