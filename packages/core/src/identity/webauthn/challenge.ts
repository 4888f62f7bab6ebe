import { limits } from '../../config/defaults.ts';
import type { Context } from '../../context.ts';
import { equal } from '../../crypto/equal.ts';
import { sha256Base64Url } from '../../crypto/hash.ts';
import { randomBase64Url } from '../../crypto/random.ts';
import { openIfValid, seal } from '../../crypto/seal.ts';
import { InvalidCheck } from '../../errors.ts';
import type { Cookie, User } from '../../types.ts';
import { expireCookie } from '../../wire/expire-cookie.ts';
import { openCookie, sealCookie } from '../../wire/sealed-cookie.ts';
import type { Ceremony, WebAuthnProvider } from './provider.ts';

/** What a browser was asked to sign, and for what. */
export interface Challenge {
  /** Base64url of the random bytes. */
  readonly challenge: string;
  readonly ceremony: Ceremony;
  /** Id of the user who was signed in; `undefined` when nobody was. */
  readonly by?: string | undefined;
  /** Whose passkey was asked for, see {@link tagOf}; `undefined` when anybody's will do. */
  readonly user?: string | undefined;
  /** The user that a registration is for. */
  readonly registerData?: Partial<User> | undefined;
  /** The id that a new user gets. */
  readonly newId?: string | undefined;
  /** There is a user of that name already: whatever comes back will be refused. */
  readonly taken?: boolean | undefined;
}

/** What the seal of the inner token is for; the whole family has this salt. */
const SALT = 'encodedWebauthnChallenge';
/** Characters to whose multiple a payload is filled up: the cookie's length must not tell who is known. */
const PAD = 256;

/** The cookie that remembers a challenge, in the shape that the whole family reads. */
export async function challengeCookie(
  { settings, cookieTable, now }: Context,
  provider: WebAuthnProvider,
  challenge: Challenge,
): Promise<Cookie> {
  const sealing = { secrets: settings.sealingSecrets, maxAge: limits.flowAge, now };
  const value = await seal(padded(challenge), { ...sealing, salt: SALT });
  return sealCookie(cookieTable.webauthnChallenge, { value, provider: provider.id }, sealing);
}

/** Letters beyond ASCII become escapes in bytes: they are counted as UTF-8. */
function padded(challenge: Challenge): object {
  const length = new TextEncoder().encode(JSON.stringify(challenge)).byteLength;
  return { ...challenge, pad: ' '.repeat(PAD - (length % PAD)) };
}

/** A challenge taken out of the browser. */
export interface Taken {
  /** `undefined` when there was none, or it was too old, or another provider's. */
  readonly challenge: Challenge | undefined;
  /** Every answer that has read the cookie carries these, whatever comes after. */
  readonly cookies: readonly Cookie[];
}

/** Takes the challenge out of the request's cookies. Nothing is judged here: see {@link spendChallenge}. */
export async function takeChallenge(context: Context, provider: WebAuthnProvider): Promise<Taken> {
  const { cookies, cookieTable, settings, now } = context;
  const option = cookieTable.webauthnChallenge;
  if (cookies[option.name] === undefined) return { challenge: undefined, cookies: [] };
  const opening = { secrets: settings.sealingSecrets, now };
  const outer = await openCookie(cookies, option, opening);
  const bound = outer?.provider === provider.id && typeof outer.value === 'string' ? outer.value : undefined;
  const inner = bound === undefined ? undefined : await openIfValid(bound, { ...opening, salt: SALT });
  return { challenge: inner && readChallenge(inner), cookies: [expireCookie(option)] };
}

/** A cookie that another library wrote knows its ceremony by whether there is somebody to register. */
function readChallenge(payload: Record<string, unknown>): Challenge | undefined {
  const { challenge, ceremony, registerData, by, user, newId, taken } = payload;
  if (typeof challenge !== 'string' || challenge === '') return undefined;
  const data = typeof registerData === 'object' && registerData !== null ? (registerData as Partial<User>) : undefined;
  const foreign = ceremony === undefined;
  const starter = foreign ? data?.id : by;
  return {
    challenge,
    ceremony: (foreign ? data !== undefined : ceremony === 'register') ? 'register' : 'authenticate',
    registerData: data,
    by: starter === undefined || starter === null ? undefined : String(starter),
    user: text(user),
    newId: text(newId),
    taken: taken === true,
  };
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/**
 * A challenge is answered once, also when its cookie was copied: a store that can remembers it for as long as the cookie lives. It
 * is spent before anything is judged.
 *
 * @throws {InvalidCheck} when there is none, or it was answered before.
 */
export async function spendChallenge(
  context: Context,
  provider: WebAuthnProvider,
  { challenge }: Taken,
): Promise<Challenge> {
  const facts = { provider: provider.id, check: 'challenge' };
  if (!challenge)
    throw new InvalidCheck('no challenge belongs to this answer: its cookie is missing or too old', facts);
  const store = await context.settings.store();
  const expires = new Date(context.now.getTime() + limits.flowAge * 1000);
  const key = `webauthn:${provider.id}:${await sha256Base64Url(challenge.challenge)}`;
  if (store?.spendOnce && !(await store.spendOnce(key, expires)))
    throw new InvalidCheck('this challenge was answered before', { ...facts, check: 'once' });
  return challenge;
}

/** @throws {InvalidCheck} when the challenge was made for the other ceremony. */
export function checkCeremony(provider: WebAuthnProvider, challenge: Challenge, ceremony: Ceremony): void {
  if (challenge.ceremony === ceremony) return;
  throw new InvalidCheck('the challenge was made for the other ceremony', { provider: provider.id, check: 'ceremony' });
}

/** Stands for a user in a challenge: as long for nobody as for somebody. */
export async function tagOf(userId: unknown): Promise<string> {
  return sha256Base64Url(`webauthn user ${String(userId)}`);
}

/** The tag of a user whom there is not. */
export function nobodysTag(): string {
  return randomBase64Url(32);
}

/** Does the tag of a challenge stand for this user? */
export async function isTagOf(tag: string, userId: unknown): Promise<boolean> {
  return equal(tag, await tagOf(userId));
}
