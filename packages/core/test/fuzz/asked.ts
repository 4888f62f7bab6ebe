import { hash } from 'node:crypto';
import fc from 'fast-check';
import { cookieNames } from '../../src/wire/cookie-table.ts';
import { headerText, memberNames, text, wellFormed } from '../properties/words.ts';
import { SECRET } from './marks.ts';
import { encoded, FIELDS, METHODS, TYPES } from './request-changes.ts';
import { addresses } from './text-changes.ts';

/** A request, which is sent as a web-standard and as a Node.js request. */
export interface Asked {
  readonly method: string;
  readonly origin: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: string;
  /** The stream breaks off after the body. */
  readonly broken: boolean;
  /** For hosts with a body parser: what it made of the body. */
  readonly parsed: unknown;
}

const TOKEN = 'a'.repeat(64);
const GOOD_CSRF = `${TOKEN}%7C${hash('sha256', TOKEN + SECRET)}`;

const ids = fc.constantFrom(
  'fake',
  'plain',
  'form',
  'mail',
  'careful',
  'credentials',
  'unknown',
  '__proto__',
  '%2e%2e',
);
/** Where there is something; `callback` more often, since most of the code lies behind it. */
const routes = fc.oneof(
  fc.constantFrom('providers', 'session', 'csrf', 'signin', 'signout', 'verify-request', 'error', 'signin/undefined'),
  ids.map((id) => `signin/${id}`),
  ids.map((id) => `callback/${id}`),
);
const strange = fc.oneof(
  fc.constantFrom('', 'callback', 'webauthn-options/fake', 'register', 'SIGNIN', 'session/fake', 'signin/a/b', '../auth/csrf'),
  text.map((value) => encodeURI(wellFormed(value))),
); // biome-ignore format: a list to be read across
const paths = fc.oneof(
  { weight: 6, arbitrary: routes.map((route) => `/auth/${route}`) },
  { weight: 2, arbitrary: routes.map((route) => `/${route}`) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom('/auth/', '/', '/auth', '//auth/', '/AUTH/'), fc.oneof(strange, routes))
      .map((parts) => parts.join('')),
  },
);

const values = fc.oneof(
  text,
  addresses,
  fc.constantFrom('Configuration', 'AccessDenied', 'CredentialsSignin', TOKEN, 'a@example.com', 'deadbeef'),
);
const names = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...FIELDS) },
  { weight: 1, arbitrary: memberNames },
  { weight: 1, arbitrary: text },
);
const fields = fc.array(fc.tuple(names, values), { maxLength: 4 });

const cookieName = fc.oneof(
  fc
    .tuple(
      fc.constantFrom('', '', '__Secure-', '__Host-'),
      fc.constantFrom(...Object.values(cookieNames)),
      fc.constantFrom('', '', '.0', '.1', '.20', '-x'),
    )
    .map((parts) => parts.join('')),
  memberNames,
  headerText,
);
const cookieValue = fc.oneof(
  headerText,
  addresses.map((value) => encodeURIComponent(wellFormed(value))),
  fc.constantFrom(GOOD_CSRF, 'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2Q0JDLUhTNTEyIn0..a.b.c', 'x'.repeat(5000)),
);
const goodCookies = ['authjs.csrf-token', '__Host-authjs.csrf-token'].map((name): [string, string] => [
  name,
  GOOD_CSRF,
]);
const cookies = fc
  .tuple(fc.constantFrom([], goodCookies), fc.array(fc.tuple(cookieName, cookieValue), { maxLength: 4 }))
  .map((lists) =>
    lists
      .flat()
      .map((pair) => pair.join('='))
      .join('; '),
  );

const form = fields.map(encoded);
const withToken = (body: string): string => `${body}${body && '&'}csrfToken=${TOKEN}`;
const json = fc.oneof(
  fields.map((list) => JSON.stringify({ csrfToken: TOKEN, ...Object.fromEntries(list) })),
  fields.map((list) => JSON.stringify({ ...Object.fromEntries(list), csrfToken: TOKEN })),
  fc.json({ maxDepth: 3 }),
  fc
    .jsonValue({ maxDepth: 3 })
    .map((value) => JSON.stringify({ csrfToken: TOKEN, data: value, callbackUrl: value, email: value })),
  fc.constantFrom(
    `{"csrfToken":"${TOKEN}","a":${'['.repeat(50_000)}${']'.repeat(50_000)}}`,
    '{"__proto__":{"polluted":1}}',
  ),
  fc.constantFrom('{', '[]', 'null', '"x"', '\ufeff{}'),
);
const garbage = fc.oneof(
  { weight: 5, arbitrary: fc.oneof(text, form, json) },
  { weight: 1, arbitrary: fc.constant('x'.repeat(300_000)) },
);
const typed = (types: readonly string[], body: fc.Arbitrary<string>): fc.Arbitrary<[string, string]> =>
  fc.tuple(fc.constantFrom(...types), body);
const bodies = fc.oneof(
  { weight: 8, arbitrary: typed(TYPES.slice(0, 2), fc.oneof(form, form.map(withToken), form.map(withToken))) },
  { weight: 4, arbitrary: typed(TYPES.slice(2, 4), json) },
  { weight: 2, arbitrary: typed(TYPES, garbage) },
  { weight: 1, arbitrary: fc.tuple(headerText, garbage) },
);

const parsed = fc.oneof(
  { weight: 8, arbitrary: fc.constant(undefined) },
  {
    weight: 2,
    arbitrary: fc.dictionary(
      names,
      fc.oneof(values, fc.array(values, { maxLength: 3 }), fc.jsonValue({ maxDepth: 2 })),
      { maxKeys: 4 },
    ),
  },
  { weight: 1, arbitrary: fc.oneof(text, fc.constant({}), fc.constant(null), fc.array(text, { maxLength: 2 })) },
);

const headers = fc.record(
  {
    cookie: cookies,
    origin: fc.oneof(fc.constantFrom('null', 'http://localhost:3000', 'https://evil.example'), headerText),
    'sec-fetch-site': fc.constantFrom('same-origin', 'same-origin', 'same-site', 'cross-site', 'none', '?'),
    'x-auth-return-redirect': fc.constantFrom('1', ''),
    'x-forwarded-host': headerText,
    'x-forwarded-proto': headerText,
    host: headerText,
    'x-http-method-override': fc.constantFrom('DELETE', 'POST'),
    authorization: headerText.map((value) => `Bearer ${value}`),
  },
  { requiredKeys: ['cookie'] },
);

const methods = fc.oneof(
  { weight: 20, arbitrary: fc.constantFrom('GET', 'POST', 'POST') },
  { weight: 1, arbitrary: fc.constantFrom(...METHODS) },
);

/** Anything that a client can send. */
export const asked: fc.Arbitrary<Asked> = fc
  .record({
    method: methods,
    origin: fc.constantFrom('http://localhost:3000', 'https://app.example', 'https://app.example:8443', 'http://[::1]'),
    path: paths,
    query: fields,
    headers,
    content: bodies,
    broken: fc.nat(29).map((n) => n === 0),
    parsed,
  })
  .map(({ path, query, headers, content: [type, body], ...rest }) => ({
    ...rest,
    path: query.length === 0 ? path : `${path}?${encoded(query)}`,
    headers: { ...headers, 'content-type': type },
    body,
  }));
