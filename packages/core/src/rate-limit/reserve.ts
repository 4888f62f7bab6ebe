import { defaults, limits } from '../config/defaults.ts';
import type { Settings } from '../config/settings.ts';
import type { Context, RoutedRequest } from '../context.ts';
import { toBase64Url, toHex } from '../crypto/bytes.ts';
import { hmacSha256 } from '../crypto/hash.ts';
import { AdapterError, AuthError, errorOf, RateLimited } from '../errors.ts';
import type { Log } from '../log/logger.ts';
import { redact } from '../log/redact.ts';
import type { CredentialsConfig } from '../providers/credentials.ts';
import type { RateLimitOptions, RateLimitRule, RateLimitStore } from '../types/config.ts';
import { identifiersOf, mailboxOf, textForm } from './identifier.ts';
import { type CounterKind, processCounters } from './memory.ts';
import { clientNetwork, widerNetworkOf } from './network.ts';

/** An attempt that was counted before it is carried out. */
export interface Reservation {
  /**
   * Subtracts the attempt from the counters. Never rejects: a sign-in that succeeded must not fail because of its
   * counter.
   */
  release(): Promise<void>;
}

/**
 * Counts an attempt with credentials as a failure before the credentials are checked, so that simultaneous attempts
 * cannot exceed the limit. If the sign-in succeeds, release the reservation, which subtracts this one attempt.
 *
 * @returns `undefined` if the form has too many identifiers, or one that is too long. Nothing is counted then.
 * @throws {RateLimited} if the limit is reached, whether the credentials are right or not.
 */
export async function reserveAttempt(context: Context, provider: CredentialsConfig): Promise<Reservation | undefined> {
  const options = optionsOf(context);
  const identifiers = await credentialsIdentifiers(context, options, provider);
  if (identifiers) return reserve(context, options, 'credentials', identifiers);
  context.settings.logger.error(
    new AuthError(
      'a form with credentials has too many identifiers, or one of more than 4096 characters. If the form is part of the application, return the identifier to count from `rateLimit.credentials.identifier`',
      { provider: provider.id },
    ),
  );
  return undefined;
}

async function credentialsIdentifiers(
  { body }: Context,
  { credentials }: RateLimitOptions,
  provider: CredentialsConfig,
): Promise<readonly string[] | undefined> {
  if (credentials === false) return [];
  if (!credentials?.identifier) return identifiersOf(provider, body);
  // `await`, because an application may pass an async function.
  const own = await credentials.identifier(body);
  return own ? [textForm(String(own))] : [];
}

/**
 * Counts a mail before it is sent. Do not release the reservation if the mail service fails: the service may have sent
 * the mail.
 *
 * @param address The address in its canonical form.
 * @throws {RateLimited} if the limit is reached, whether a user has the address or not.
 */
export function reserveMail(context: Context, address: string): Promise<Reservation> {
  return reserve(context, optionsOf(context), 'email', [mailboxOf(address)]);
}

/**
 * Counts an attempt to use a short mailed token before the token is checked. If the sign-in succeeds, release the
 * reservation.
 *
 * @param address The address in the link.
 * @throws {RateLimited} if the limit is reached, whether the token is right or not.
 */
export function reserveToken(context: Context, address: string): Promise<Reservation> {
  return reserve(context, optionsOf(context), 'token', [mailboxOf(address)]);
}

/**
 * Counts an attempt to type the code of a mail before the code is compared. If it is right, release the reservation.
 * With `rateLimit: false`, the network of the visitor is not counted.
 *
 * @param token The token in the link of the mail.
 * @param maxAge Seconds that a code is valid, during which all attempts count.
 * @throws {RateLimited} if the limit is reached, whether the code is right or not.
 */
export function reserveCode(context: Context, token: string, maxAge: number): Promise<Reservation> {
  const window = Math.min(Math.ceil(maxAge), limits.rateWindow);
  return reserve(context, optionsOf(context), 'code', [token], { limit: defaults.email.codeAttempts, window });
}

/**
 * Counts a logout token that was refused, against the limit of the network.
 *
 * @throws {RateLimited} if the limit is reached.
 */
export async function countRefusedToken(request: RoutedRequest, now: Date): Promise<void> {
  const context = { ...request, now };
  await reserve(context, optionsOf(context), 'logout', []);
}

/**
 * Counts a change of an account, whether it succeeds or not.
 *
 * @param userId Id of the account's user.
 * @throws {RateLimited} if the limit is reached.
 */
export async function countAccountChange(context: Context, userId: string): Promise<void> {
  await reserve(context, optionsOf(context), 'account', [userId], defaults.account.changes);
}

/** The members of a request by which its attempts are counted. */
type Counted = Pick<Context, 'settings' | 'now' | 'providerId' | 'call' | 'incoming'>;

function optionsOf({ settings }: Counted): RateLimitOptions {
  return settings.config.rateLimit || {};
}

type Purpose = 'credentials' | 'email' | 'token' | 'code' | 'logout' | 'account';
/** For `wider network` see {@link widerNetworkOf}. */
const KINDS: Readonly<Record<Purpose, CounterKind>> = {
  credentials: 'credentials',
  email: 'email',
  token: 'credentials',
  code: 'credentials',
  logout: 'network',
  account: 'credentials',
};
type CountedBy = 'identifier' | 'network' | 'wider network';

/** @param rule The limit for each identifier. Default: the limit of the purpose. */
async function reserve(
  context: Counted,
  options: RateLimitOptions,
  purpose: Purpose,
  identifiers: readonly string[],
  rule?: Omit<RateLimitRule, 'now'>,
): Promise<Reservation> {
  const { settings, now, providerId } = context;
  const key = await counterKey(settings);
  const reserved: Reservation[] = [];
  const release = async (): Promise<void> => {
    for (const reservation of reserved) await reservation.release();
  };
  for (const [by, value] of countedValues(context, options, identifiers)) {
    const applied = by === 'identifier' && rule ? rule : ruleFor(options, purpose, by);
    if (!applied) continue;
    const kind = by === 'identifier' ? KINDS[purpose] : 'network';
    const counter = await counterName(key, purpose, by, value);
    const reservation = await reserveOne(options.store, settings.logger, { kind, name: counter }, { ...applied, now });
    if (reservation instanceof Date) {
      await release();
      const retryAfter = Math.max(1, Math.ceil((reservation.getTime() - now.getTime()) / 1000));
      throw new RateLimited('too many attempts', {
        provider: providerId,
        by: by === 'identifier' ? by : 'network',
        retryAfter,
      });
    }
    reserved.push(reservation);
    settings.logger.debug('limits', 'an attempt was counted', () => redact({ provider: providerId, by, kind }));
  }
  return { release };
}

/** The networks come first, so that a blocked one creates no counters for the identifiers that it tries. */
function countedValues(
  { call, incoming, settings }: Counted,
  { trustedProxyHops }: RateLimitOptions,
  identifiers: readonly string[],
): (readonly [CountedBy, string])[] {
  const forwarded = incoming.header('x-forwarded-for');
  const client = { address: call.clientAddress, forwarded, hops: trustedProxyHops };
  const network = settings.config.rateLimit === false ? undefined : clientNetwork(client);
  const wider = network === undefined ? undefined : widerNetworkOf(network);
  return [
    ...(network === undefined ? [] : [['network', network] as const]),
    ...(wider === undefined ? [] : [['wider network', wider] as const]),
    ...identifiers.map((identifier) => ['identifier', identifier] as const),
  ];
}

function ruleFor(options: RateLimitOptions, purpose: Purpose, by: CountedBy): Omit<RateLimitRule, 'now'> | undefined {
  if (purpose === 'account') return undefined;
  if (by === 'identifier' && purpose === 'token')
    return options.email === false ? undefined : defaults.email.wrongTokens;
  const name = by === 'identifier' && isOption(purpose) ? purpose : 'network';
  const own = options[name];
  if (own === false) return undefined;
  const defaultRule = defaults.rateLimit[name];
  const limit = own?.limit ?? defaultRule.limit;
  const window = own?.window ?? defaultRule.window;
  return by === 'wider network' ? { limit: Math.min(limit * WIDER, limits.rateLimit), window } : { limit, window };
}

/** Is it the name of a limit in the configuration? */
function isOption(purpose: Purpose): purpose is 'credentials' | 'email' {
  return purpose === 'credentials' || purpose === 'email';
}

/** A wider network may have so many times the attempts of one network. */
const WIDER = 10;

async function counterKey({ secrets }: Settings): Promise<string> {
  return toHex(await hmacSha256(secrets[0] ?? '', 'latchkey rate limits'));
}

/**
 * Returns the name of a counter in its store: an HMAC under a key that derives from the newest secret. The store
 * contains no addresses and no names, and its reader cannot guess them. With a new secret all counters begin again.
 */
async function counterName(key: string, purpose: Purpose, by: CountedBy, value: string): Promise<string> {
  // As JSON: the same text joined from other parts must not give the same name.
  return toBase64Url(await hmacSha256(key, JSON.stringify([purpose, by, value])));
}

interface NamedCounter {
  readonly kind: CounterKind;
  readonly name: string;
}

/** Stores that have failed, and have not worked since. */
const failing = new WeakSet<RateLimitStore>();

/**
 * Counts one attempt. While the store fails, this process counts by itself: otherwise all attempts would be allowed, or
 * all refused. The failure is logged once, and again after the store has worked in between.
 *
 * @returns The instant from which another attempt is allowed, if the limit is reached.
 */
async function reserveOne(
  store: RateLimitStore | undefined,
  logger: Log,
  { kind, name: counter }: NamedCounter,
  rule: RateLimitRule,
): Promise<Reservation | Date> {
  if (store) {
    try {
      const freeAt: unknown = await store.take(counter, rule);
      const isFull = freeAt instanceof Date && !Number.isNaN(freeAt.getTime());
      if (!isFull && freeAt !== null && freeAt !== undefined)
        throw new TypeError('`take` returned neither a Date nor null');
      failing.delete(store);
      return isFull ? freeAt : reservationIn(store, logger, counter, rule.now);
    } catch (error) {
      report(store, logger, error, 'take');
    }
  }
  const counters = processCounters.of(kind);
  return counters.take(counter, rule) ?? reservationIn(counters, logger, counter, rule.now);
}

function reservationIn(store: RateLimitStore, logger: Log, counter: string, at: Date): Reservation {
  return {
    async release() {
      try {
        await store.release(counter, at);
      } catch (error) {
        report(store, logger, error, 'release');
      }
    },
  };
}

function report(store: RateLimitStore, logger: Log, error: unknown, method: keyof RateLimitStore): void {
  if (failing.has(store)) return;
  failing.add(store);
  logger.error(
    new AdapterError('the store of `rateLimit` failed. Until it works again, each process counts by itself', {
      err: errorOf(error),
      method: `rateLimit.store.${method}`,
    }),
  );
}
