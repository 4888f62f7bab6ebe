import type { Context } from '../context.ts';
import { AuthError, RateLimited } from '../errors.ts';
import type { CredentialsConfig } from '../providers/credentials.ts';
import type { RateLimitOptions } from '../rate-limit-types.ts';
import { counterName } from './counter.ts';
import { identifiersOf } from './identifier.ts';
import { clientNetwork } from './network.ts';
import { type Kind, type Purpose, ruleFor } from './rules.ts';
import { countedForm, mailboxOf } from './spelling.ts';
import { type Place, takePlace } from './store.ts';

/**
 * Counts an attempt with credentials as failed, before it is judged: of many at once, none is judged beyond the limit. What turns out
 * to be a success is given back; that takes back this one attempt, and nothing that was counted for others.
 *
 * @returns `undefined`, with nothing counted, when the form names more people than one form does.
 * @throws {RateLimited} when there is no place left, whatever the credentials are.
 */
export async function reserveAttempt(context: Context, provider: CredentialsConfig): Promise<Place | undefined> {
  const options = optionsOf(context);
  const identifiers = await namedBy(context, options, provider);
  if (identifiers) return reserve(context, options, 'credentials', identifiers);
  await context.settings.logger.error(
    new AuthError(
      'a form with credentials named too many people at once. If it is yours, say with `rateLimit.credentials.identifier` who is counted',
      { provider: provider.id },
    ),
  );
  return undefined;
}

async function namedBy(
  { body }: Context,
  { credentials }: RateLimitOptions,
  provider: CredentialsConfig,
): Promise<readonly string[] | undefined> {
  if (credentials === false) return [];
  if (!credentials?.identifier) return identifiersOf(provider, body);
  // Nobody should, but somebody will give an async function.
  const own = await credentials.identifier(body);
  return own ? [countedForm(String(own))] : [];
}

/**
 * Counts a mail before it is sent. Not to be given back: nobody knows whether a service that failed has sent it all the same.
 *
 * @param identifier The canonical address.
 * @throws {RateLimited} when there is no place left, whoever has the address.
 */
export function reserveMail(context: Context, identifier: string): Promise<Place> {
  return reserve(context, optionsOf(context), 'email', [mailboxOf(identifier)]);
}

function optionsOf({ settings }: Context): RateLimitOptions {
  return settings.config.rateLimit || {};
}

async function reserve(
  context: Context,
  options: RateLimitOptions,
  purpose: Purpose,
  identifiers: readonly string[],
): Promise<Place> {
  const { settings, now, providerId } = context;
  const taken: Place[] = [];
  const giveBack = async (): Promise<void> => {
    for (const place of taken) await place.giveBack();
  };
  for (const [kind, value] of countedBy(context, options, identifiers)) {
    const rule = ruleFor(options, purpose, kind);
    if (!rule) continue;
    const counter = await counterName(settings, purpose, kind, value);
    const place = await takePlace(options.store, settings.logger, counter, { ...rule, now });
    if (place instanceof Date) {
      await giveBack();
      const retryAfter = Math.max(1, Math.ceil((place.getTime() - now.getTime()) / 1000));
      throw new RateLimited('too many attempts', { provider: providerId, by: kind, retryAfter });
    }
    taken.push(place);
  }
  return { giveBack };
}

/** The network first: one that is blocked makes no counters for the names that it tries. */
function countedBy(
  { call, incoming }: Context,
  { trustedProxyHops }: RateLimitOptions,
  identifiers: readonly string[],
): (readonly [Kind, string])[] {
  const network = clientNetwork({
    address: call.clientAddress,
    forwarded: incoming.header('x-forwarded-for'),
    hops: trustedProxyHops,
  });
  return [
    ...(network === undefined ? [] : [['network', network] as const]),
    ...identifiers.map((identifier) => ['identifier', identifier] as const),
  ];
}
