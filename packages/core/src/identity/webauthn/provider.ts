import type { ProviderUrls } from '../../config/provider.ts';
import { isOriginFixed } from '../../config/settings.ts';
import type { Context } from '../../context.ts';
import { AuthError, errorOf, MissingAdapter, WebAuthnVerificationError } from '../../errors.ts';
import type { WebAuthnConfig, WebAuthnContext, WebAuthnRequest } from '../../providers/webauthn.ts';
import type { Store } from '../../store/store.ts';
import { isLoopback } from '../../wire/bounded-fetch.ts';

/** A passkey provider with its URLs. */
export type WebAuthnProvider = WebAuthnConfig & ProviderUrls;

/** Sign-in with a passkey, or registration of one (WebAuthn §4, ceremony). */
export type Ceremony = 'authenticate' | 'register';

/**
 * Returns the store.
 *
 * @throws {MissingAdapter} if the configuration has no adapter.
 */
export async function passkeyStore({ settings }: Context): Promise<Store> {
  const store = await settings.store();
  if (!store) throw new MissingAdapter('passkeys need a store. Add an `adapter`');
  return store;
}

/** Returns the arguments of a provider's hooks. */
export function hookArguments(
  { url, query, body, incoming }: Context,
  provider: WebAuthnProvider,
  store: Store,
): [WebAuthnContext, WebAuthnRequest] {
  const options: WebAuthnContext = { provider, adapter: store as WebAuthnContext['adapter'], url: new URL(url) };
  return [options, { method: incoming.method, url: new URL(url), query: { ...query }, body: { ...body } }];
}

/** The relying party: the site to which passkeys belong (WebAuthn §4). */
export interface Site {
  /** Domain. */
  readonly id: string;
  readonly name: string;
  /** Origins on which its passkeys may be used. */
  readonly origins: string[];
}

/**
 * Returns the relying party. An id that the provider does not configure is that of the request, and a name is that of
 * the theme or of the request. Of several ids or names, the first counts.
 *
 * @throws {AuthError} if neither the configuration nor the environment names an origin.
 */
export function siteOf(context: Context, provider: WebAuthnProvider, store: Store): Site {
  const { url, settings } = context;
  const configured =
    provider.getRelayingParty?.(...hookArguments(context, provider, store)) ?? provider.relayingParty ?? {};
  const [id] = listOf(configured.id);
  const origins = listOf(configured.origin);
  return {
    id: id ?? url.hostname,
    name: listOf(configured.name)[0] ?? settings.theme.name ?? url.host,
    origins: origins.length > 0 ? origins : defaultOrigins(context, provider, id),
  };
}

/**
 * The origin of the request counts only if no client can choose it by the `Host` header, or on loopback. Otherwise
 * a page on a sibling domain or on another port of the host could have its own passkey answers accepted.
 */
function defaultOrigins(context: Context, provider: WebAuthnProvider, id: string | undefined): string[] {
  const { origin, url } = context;
  const isReliable = isOriginFixed(context) || isLoopback(url.hostname);
  const origins = [...(id === undefined ? [] : [`https://${id}`]), ...(isReliable ? [origin] : [])];
  if (origins.length > 0) return origins;
  throw new AuthError(
    `provider "${provider.id}": passkeys need a fixed origin, and this one was read from the request (${origin}). Set \`relayingParty.origin\`, or AUTH_URL if a framework package reads the environment`,
    { provider: provider.id },
  );
}

function listOf(value: string | readonly string[] | undefined): string[] {
  return (typeof value === 'string' ? [value] : [...(value ?? [])]).filter((text) => text !== '');
}

/**
 * Returns the error for an answer that is not accepted. The reason is in the log only; the visitor sees the same for
 * each.
 */
export function refusal(provider: WebAuthnProvider, reason: string, thrown?: unknown): WebAuthnVerificationError {
  const err = thrown === undefined ? {} : { err: errorOf(thrown) };
  return new WebAuthnVerificationError(reason, { provider: provider.id, ...err });
}
