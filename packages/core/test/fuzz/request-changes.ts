import fc from 'fast-check';
import { cookieNames } from '../../src/wire/cookie-table.ts';
import { wellFormed } from '../properties/words.ts';
import { changedPairs, type Pair, type PairChange, pairChange } from './pair-changes.ts';
import { headerOf, type Sent, withHeader } from './sent.ts';
import { changedText, hostileText, type TextChange, textChange } from './text-changes.ts';

/** One thing done to a request. */
export type RequestChange =
  | { readonly part: 'method'; readonly value: string }
  | { readonly part: 'origin'; readonly value: string }
  | { readonly part: 'path' | 'body'; readonly change: TextChange }
  | { readonly part: 'segment'; readonly index: number; readonly value: string }
  | { readonly part: 'query' | 'fields' | 'cookies'; readonly change: PairChange }
  | { readonly part: 'header'; readonly name: string; readonly values: readonly string[] }
  | { readonly part: 'form'; readonly as: 'json' | 'multipart' }
  | { readonly part: 'flood'; readonly name: string; readonly count: number }
  | { readonly part: 'end'; readonly value: Sent['end'] };

const SEGMENTS = [
  'providers', 'session', 'csrf', 'signin', 'signout', 'callback', 'verify-request', 'error', 'webauthn-options', 'asset', 'passkey.js', 'fake', 'plain', 'form', 'mail', 'careful', 'credentials', 'passkey', 'unknown', 'undefined', '__proto__', 'constructor', '%2e%2e', '%66ake', '..', '',
]; // biome-ignore format: a list to be read across
export const FIELDS: readonly string[] = [
  'callbackUrl', 'csrfToken', 'error', 'error_description', 'code', 'state', 'iss', 'token', 'email', 'form_post', 'data', 'action', 'name', 'password', 'id_token', 'access_token', 'response', 'redirect_uri', 'scope', 'nonce', 'prompt', 'reference', 'provider',
]; // biome-ignore format: a list to be read across
const COOKIES = Object.values(cookieNames).flatMap((name) => [
  name,
  `__Secure-${name}`,
  `__Host-${name}`,
  `${name}.0`,
  `${name}.1`,
  `${name}.19`,
]);
export const METHODS: readonly string[] = [
  'GET', 'POST', 'POST', 'HEAD', 'PUT', 'DELETE', 'OPTIONS', 'PATCH', 'PROPFIND', 'get', 'Post', 'X-Y',
]; // biome-ignore format: a list to be read across
const ORIGINS = [
  'http://localhost:3000',
  'https://app.example',
  'https://app.example:8443',
  'http://[::1]',
  'https://evil.example',
];
export const TYPES: readonly string[] = [
  'application/x-www-form-urlencoded', 'application/x-www-form-urlencoded; charset=utf-16', 'application/json', 'APPLICATION/JSON ;x=y', 'text/plain', 'application/json-seq', 'multipart/form-data; boundary=x', 'multipart/form-data', 'application/json, text/plain', 'application/xml', '',
]; // biome-ignore format: a list to be read across

const headers: readonly (readonly [string, readonly string[]])[] = [
  ['origin', ['null', 'http://localhost:3000', 'https://app.example', 'https://evil.example', 'https://app.example.evil.example', '']],
  ['sec-fetch-site', ['same-origin', 'same-site', 'cross-site', 'none', 'Cross-Site', '?']],
  ['content-type', TYPES],
  ['content-length', ['0', '-1', '1', '99999999999999999999', '1e9', 'x']],
  ['transfer-encoding', ['chunked', 'gzip, chunked']],
  ['content-encoding', ['gzip', 'br']],
  ['x-auth-return-redirect', ['1', '']],
  ['host', ['evil.example', 'localhost:3000', '[::1', '']],
  ['x-forwarded-host', ['evil.example', 'evil.example, app.example', '"><zq>']],
  ['x-forwarded-proto', ['http', 'https', 'javascript']],
  ['x-forwarded-for', ['1.2.3.4', '::1, 1.2.3.4', 'x'.repeat(4000)]],
  ['forwarded', ['host=evil.example;proto=http']],
  ['x-http-method-override', ['POST', 'DELETE']],
  ['authorization', ['Bearer x', 'Basic eDp5', 'Bearer %']],
]; // biome-ignore format: a table

const header = fc.constantFrom(...headers).chain(([name, values]) =>
  fc.record({
    part: fc.constant('header' as const),
    name: fc.constant(name),
    values: fc.array(
      fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...values) }, { weight: 1, arbitrary: hostileText }),
      { maxLength: 2 },
    ),
  }),
);

/** A change of this part, with the weight that it has among others. */
const part = <P extends RequestChange['part'], T>(
  weight: number,
  name: P,
  more: { [K in keyof T]: fc.Arbitrary<T[K]> },
) => ({ weight, arbitrary: fc.record(more).map((members) => ({ part: name, ...members })) });

/** Changes of cookies. */
export const cookieChange: fc.Arbitrary<RequestChange> = fc.oneof(
  part(20, 'cookies', { change: pairChange(COOKIES) }),
  part(1, 'flood', { name: fc.constantFrom(...COOKIES, 'x'), count: fc.integer({ min: 1, max: 2000 }) }),
);

export const requestChange: fc.Arbitrary<RequestChange> = fc.oneof(
  part(1, 'method', { value: fc.constantFrom(...METHODS) }),
  part(1, 'origin', { value: fc.constantFrom(...ORIGINS) }),
  part(2, 'path', { change: textChange }),
  part(2, 'segment', { index: fc.nat(4), value: fc.constantFrom(...SEGMENTS) }),
  part(3, 'query', { change: pairChange(FIELDS) }),
  part(3, 'fields', { change: pairChange(FIELDS) }),
  part(3, 'body', { change: textChange }),
  part(1, 'form', { as: fc.constantFrom('json' as const, 'multipart' as const) }),
  part(1, 'end', { value: fc.constantFrom('broken' as const, 'too long' as const) }),
  { weight: 4, arbitrary: header },
  { weight: 4, arbitrary: cookieChange },
);

/**
 * The changed request. Pure.
 *
 * @param others Other requests to the same application.
 */
export function changedRequest(sent: Sent, change: RequestChange, others: readonly Sent[]): Sent {
  const [path = '', ...query] = sent.target.split('?');
  switch (change.part) {
    case 'method':
      return { ...sent, method: change.value };
    case 'origin':
      return { ...sent, origin: change.value };
    case 'path':
      return { ...sent, target: [pathFrom(changedText(path, change.change)), ...query].join('?') };
    case 'segment':
      return { ...sent, target: [segmentSet(path, change.index, change.value), ...query].join('?') };
    case 'query': {
      const pairs = changedPairs(queryOf(sent), change.change, others.flatMap(queryOf));
      return { ...sent, target: pairs.length === 0 ? path : `${path}?${encoded(pairs)}` };
    }
    case 'fields':
      return {
        ...sent,
        body: bodyText(encoded(changedPairs(fieldsOf(sent), change.change, others.flatMap(fieldsOf)))),
      };
    case 'body':
      return { ...sent, body: bodyText(changedText(sent.body, change.change)) };
    case 'form':
      return inOtherForm(sent, change.as);
    case 'header':
      return withHeader(sent, change.name, ...change.values);
    case 'cookies':
      return withCookies(sent, changedPairs(cookiesOf(sent), change.change, others.flatMap(cookiesOf)));
    case 'flood':
      return withCookies(sent, [
        ...Array.from({ length: change.count }, (_, n): Pair => [`${change.name}${n}`, 'x']),
        ...cookiesOf(sent),
      ]);
    case 'end':
      return { ...sent, end: change.value };
  }
}

function pathFrom(text: string): string {
  // A client cannot send these characters in a request line.
  const path = encodeURI(wellFormed(text)).replace(/%25/g, '%').replace(/[?#]/g, '');
  return path.startsWith('/') ? path : `/${path}`;
}

function segmentSet(path: string, index: number, value: string): string {
  const segments = path.split('/');
  segments[1 + (index % segments.length)] = value;
  return segments.join('/');
}

function queryOf({ target }: Sent): Pair[] {
  return [...new URLSearchParams(target.split('?').slice(1).join('?'))];
}

function fieldsOf({ body }: Sent): Pair[] {
  return [...new URLSearchParams(body)];
}

/** As a query or a form. */
export function encoded(pairs: readonly Pair[]): string {
  return new URLSearchParams(pairs.map(([name, value]) => [wellFormed(name), wellFormed(value)])).toString();
}

/** Every character a byte. */
function bodyText(text: string): string {
  return /[^\0-\xff]/.test(text) ? Buffer.from(text).toString('latin1') : text;
}

function inOtherForm(sent: Sent, as: 'json' | 'multipart'): Sent {
  const fields = fieldsOf(sent);
  if (as === 'json') {
    return withHeader(
      { ...sent, body: bodyText(JSON.stringify(Object.fromEntries(fields))) },
      'content-type',
      'application/json',
    );
  }
  const parts = fields.map(
    ([name, value]) => `--x\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  return withHeader(
    { ...sent, body: bodyText(`${parts.join('')}--x--\r\n`) },
    'content-type',
    'multipart/form-data; boundary=x',
  );
}

function cookiesOf(sent: Sent): Pair[] {
  const pairs = (headerOf(sent, 'cookie') ?? '').split('; ').filter((pair) => pair !== '');
  return pairs.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]);
}

function withCookies(sent: Sent, pairs: readonly Pair[]): Sent {
  return withHeader(sent, 'cookie', bodyText(pairs.map(([name, value]) => `${name}=${value}`).join('; ')));
}
