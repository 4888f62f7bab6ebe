import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { type Spec, shapeProblems } from './shape.ts';

/** A JSON value. */
export type Json = string | number | boolean | null | Json[] | { [name: string]: Json };
type Texts = Record<string, string>;

/** A response of a vendor. */
export interface Answer {
  /** Default: 200. */
  status?: number;
  /**
   * Content type. Default: `application/json`. That and `application/x-www-form-urlencoded` take an object, others a
   * string.
   */
  type?: string;
  answer?: Json;
  /** Bytes of a binary response. */
  base64?: string;
}

/**
 * A request that a vendor expects, and the response. Placeholders such as `$client_id` stand for values of the flow.
 */
export interface Step extends Answer {
  /** With its whole query. */
  url: string;
  /** Default: `GET`; of the token request `POST`. */
  method?: string;
  /** Headers beside the usual ones; `*` is any value. */
  headers?: Texts;
  /**
   * Authentication: `basic` (default), `post` or `none` for token requests, `bearer` (default) or `none` for others.
   */
  auth?: string;
  /** Fields of the body beside the usual ones; `null` takes a usual one out. */
  body?: Record<string, Json>;
  /** Default: `form`. */
  format?: 'form' | 'json';
  /** The vendor's refusal. Default: 400 `invalid_grant` of the token request, else 401. */
  error?: Answer;
  /** A sign-in does without the answer; the user then differs by this. */
  otherwise?: Partial<ExpectedUser>;
  /** With `otherwise`: it does without an answer that is refused, but not while the vendor is down. */
  retry?: true;
}

/** The exchange of a refresh token, by the vendor's documentation. Its request is sent like that of `token`. */
export interface Refresh {
  /** The vendor's page, and the day on which it was read. */
  source: string;
  /** Members that `offline: true` adds to the answer of `token`, or changes in it. */
  issued?: Record<string, Json>;
  /** `id_token` stands for an ID token of the same user. Absent: the vendor has no refresh tokens. */
  answer?: Record<string, Json>;
  /** The scopes of the new access token. */
  scopes?: string[];
  /** The vendor's refusal. Default: 400 `invalid_grant`. */
  error?: Answer;
}

/** The user after a sign-in. */
export interface ExpectedUser {
  id: string;
  name?: string | null;
  email?: string | null;
  image?: string | null;
}

/** A deviation from the fixture, and what becomes of it. */
export interface Case {
  title: string;
  /** Options of the factory, laid over the fixture's. */
  options?: Record<string, Json>;
  /** Parameters of the authorization request, laid over the fixture's. */
  asks?: Record<string, string | null>;
  /** Values by JSON pointer into the fixture (RFC 6901). */
  change?: Record<string, Json>;
  /** JSON pointers of what is missing. */
  remove?: string[];
  /** How the user differs. */
  user?: Partial<ExpectedUser>;
  /** Code on the sign-in page, or `AccessDenied` on the error page. */
  error?: string;
}

/** Requests and responses of a vendor, by its documentation, and the resulting user. See README.md. */
export interface Fixture {
  /** Options of the factory beside `clientId` and `clientSecret`. */
  options?: Record<string, Json>;
  authorization: { url: string; params?: Texts; pkce?: false; nonce?: true };
  /** Parameters of the callback beside `code` and `state`. */
  callback?: Texts;
  /** Parameters of the callback when the visitor says no. Default: `error=access_denied`. */
  denied?: Texts;
  discovery?: { url: string; answer: Record<string, Json> };
  /** Where the signing keys are, when the metadata does not say. */
  jwks?: string;
  token: Step;
  refresh?: Refresh;
  /** Claims of the ID token beside `iss`, `aud`, `iat`, `exp` and `nonce`. */
  idToken?: Record<string, Json>;
  /** The requests for the profile. */
  userinfo?: Step[];
  user: ExpectedUser;
  /** Does the vendor vouch for the address? Absent: it does not say. */
  emailVerified?: boolean;
  /** Members of the stored account that are not just the token answer's; `null` is absent. */
  account?: Record<string, string | number | null>;
  /** How the user differs when the vendor tells no address, or the code of a refusal. Default: only by that. */
  withoutEmail?: Partial<ExpectedUser> | string;
  cases?: Case[];
}

const folder = new URL('fixtures/', import.meta.url);

/** Names of the fixtures: of provider files. */
export const fixtureNames: readonly string[] = readdirSync(folder).map((name) => name.replace(/\.json$/, ''));

/**
 * The fixture of a provider file.
 *
 * @throws {Error} if the fixture does not exist or has an unknown member.
 */
export function readFixture(name: string): Fixture {
  const file = new URL(`${name}.json`, folder);
  if (!existsSync(file))
    throw new Error(`test/providers/fixtures/${name}.json is missing: see test/providers/README.md`);
  const fixture: unknown = JSON.parse(readFileSync(file, 'utf8'));
  const problems = shapeProblems(fixture, fixtureSpec);
  if (problems.length > 0) throw new Error(`fixtures/${name}.json: ${problems.join('; ')}`);
  return fixture as Fixture;
}

const answer: Spec = { 'status?': 'number', 'type?': 'string', 'answer?': 'any', 'base64?': 'string' };
const user: Spec = { 'id?': 'string', 'name?': 'any', 'email?': 'any', 'image?': 'any' };
const step: Spec = {
  ...answer,
  url: 'string',
  'method?': 'string',
  'headers?': 'object',
  'auth?': 'string',
  'body?': 'object',
  'format?': 'string',
  'error?': answer,
  'otherwise?': user,
  'retry?': 'boolean',
};
const fixtureSpec: Spec = {
  'options?': 'object',
  authorization: { url: 'string', 'params?': 'object', 'pkce?': 'boolean', 'nonce?': 'boolean' },
  'callback?': 'object',
  'denied?': 'object',
  'discovery?': { url: 'string', answer: 'object' },
  'jwks?': 'string',
  token: step,
  'refresh?': { source: 'string', 'issued?': 'object', 'answer?': 'object', 'scopes?': 'array', 'error?': answer },
  'idToken?': 'object',
  'userinfo?': [step],
  user: { ...user, id: 'string' },
  'emailVerified?': 'boolean',
  'account?': 'object',
  'withoutEmail?': 'any',
  'cases?': [
    {
      title: 'string',
      'options?': 'object',
      'asks?': 'object',
      'change?': 'object',
      'remove?': 'array',
      'user?': user,
      'error?': 'string',
    },
  ],
};
