import { chain } from '../chain.ts';
import type { Awaitable } from '../types.ts';
import { keyOfHeader, sealingKey } from './derive.ts';
import { type Engine, engine, type SealedParts } from './engine.ts';
import { randomUUID } from './random.ts';
import { readObject } from './read-object.ts';

/** Longest token that is looked at, in characters; twice what all cookies of a request may be. */
export const LONGEST_TOKEN: number = 128 * 1024;

/** Seconds by which the clock that made a token may differ from ours. */
export const CLOCK_TOLERANCE = 15;

/** What a token is sealed with. */
export interface SealOptions {
  /** The first seals. */
  readonly secrets: readonly string[];
  /** What the token is for; for a cookie its name. A token opens under the same salt only. */
  readonly salt: string;
  /** Seconds from {@link now} for which the token is valid. */
  readonly maxAge: number;
  readonly now: Date;
}

/** What a token is opened with. */
export interface OpenOptions {
  /** Each of them opens. */
  readonly secrets: readonly string[];
  readonly salt: string;
  readonly now: Date;
}

/**
 * A token that cannot be accepted. On purpose it tells nobody why: whether it was changed, made for another purpose, with
 * another secret, or has expired.
 */
export class TokenError extends Error {
  override readonly name: string = 'TokenError';

  constructor() {
    super('the token is not valid');
  }
}

/**
 * Seals claims into a compact JWE (RFC 7516; `dir`, A256CBC-HS512), readable by everyone in the Auth.js v5 family who has
 * the secret. `iat`, `exp` and `jti` are set anew whatever the claims say.
 *
 * @throws {TypeError} when there is no secret, or the claims cannot be written as JSON.
 */
export function seal(claims: object, options: SealOptions): Awaitable<string> {
  const { salt, maxAge } = options;
  const iat = seconds(options.now);
  const plaintext = JSON.stringify({ ...claims, iat, exp: iat + maxAge, jti: randomUUID() });
  const [secret] = checkSecrets(options.secrets);
  return chain(sealingKey(engine(), secret, salt), ({ header, key }) => key.seal(header, plaintext));
}

/**
 * The claims of a token that {@link seal} or another member of the Auth.js v5 family has made; A256GCM is read as well.
 *
 * @throws {TokenError} whatever is wrong with the token; thrown or rejected with, as the engine has it.
 * @throws {TypeError} when there is no secret.
 */
export function open(token: string, options: OpenOptions): Awaitable<Record<string, unknown>> {
  return chain(openIfValid(token, options), (claims) => {
    if (!claims) throw new TokenError();
    return claims;
  });
}

/**
 * As {@link open}, for tokens that may well be somebody else's or too old: `undefined` whatever is wrong with the token.
 *
 * @throws {TypeError} when there is no secret.
 */
export function openIfValid(token: string, options: OpenOptions): Awaitable<Record<string, unknown> | undefined> {
  const secrets = checkSecrets(options.secrets);
  const parts = readParts(token);
  if (!parts) return undefined;
  return chain(decrypt(engine(), parts, secrets, options.salt), (plaintext) => {
    const claims = plaintext === undefined ? undefined : readObject(plaintext);
    return claims && isCurrent(claims, seconds(options.now)) ? claims : undefined;
  });
}

type Secrets = readonly [string, ...string[]];

function checkSecrets(secrets: readonly string[]): Secrets {
  if (secrets.length === 0) throw new TypeError('there is no secret: set a random text of at least 32 characters');
  return secrets as Secrets;
}

// Five segments of which the second, the encrypted key, is empty; the lengths of IV and tag are those of the two encryptions.
const SHAPE = /^[\w-]+\.\.(?:[\w-]{22}\.[\w-]+\.[\w-]{43}|[\w-]{16}\.[\w-]+\.[\w-]{22})$/;

function readParts(token: string): SealedParts | undefined {
  if (token.length > LONGEST_TOKEN || !SHAPE.test(token)) return undefined;
  const iv = token.indexOf('.') + 2;
  const ciphertext = token.indexOf('.', iv) + 1;
  const tag = token.lastIndexOf('.') + 1;
  return {
    header: token.slice(0, iv - 2),
    iv: token.slice(iv, ciphertext - 1),
    ciphertext: token.slice(ciphertext, tag - 1),
    tag: token.slice(tag),
  };
}

/** The plaintext; `undefined` when no secret opens it. */
function decrypt(engine: Engine, parts: SealedParts, secrets: Secrets, salt: string): Awaitable<string | undefined> {
  // A token of our family carries, letter by letter, the header that we would write: no need to read it.
  return chain(keyOfHeader(engine, secrets, salt, parts.header), (derived) =>
    derived
      ? derived.key.open(parts)
      : chain(foreignTokens(), ({ decryptForeign }) => decryptForeign(engine, parts, secrets, salt)),
  );
}

type ForeignTokens = typeof import('./foreign-token.ts');
const at: { hand?: ForeignTokens } = {};

/** Imported once: to import again what is there costs ten times what the token does. */
function foreignTokens(): Awaitable<ForeignTokens> {
  return at.hand ?? import('./foreign-token.ts').then((loaded) => (at.hand = loaded));
}

/** Time claims (RFC 7519 §4.1.4–6). Absent is fine, as everywhere in the family; what is there must hold. */
function isCurrent({ exp, nbf, iat }: Record<string, unknown>, now: number): boolean {
  if (iat !== undefined && typeof iat !== 'number') return false;
  if (exp !== undefined && !(typeof exp === 'number' && exp > now - CLOCK_TOLERANCE)) return false;
  return nbf === undefined || (typeof nbf === 'number' && nbf <= now + CLOCK_TOLERANCE);
}

function seconds(instant: Date): number {
  return Math.floor(instant.getTime() / 1000);
}
