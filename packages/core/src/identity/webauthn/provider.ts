import type { ProviderUrls } from '../../config/provider.ts';
import type { Store } from '../../config/store.ts';
import type { Context } from '../../context.ts';
import { MissingAdapter } from '../../errors.ts';
import type { WebAuthnConfig, WebAuthnContext, WebAuthnRequest } from '../../providers/webauthn.ts';

/** A provider of passkeys, and where its forms go. */
export type WebAuthnProvider = WebAuthnConfig & ProviderUrls;

/** The two things that can be done with a passkey. */
export type Ceremony = 'authenticate' | 'register';

/**
 * The store, without which there are no passkeys.
 *
 * @throws {MissingAdapter} when the configuration has none.
 */
export async function passkeyStore({ settings }: Context): Promise<Store> {
  const store = await settings.store();
  if (!store) throw new MissingAdapter('passkeys are kept in a store. Add an `adapter`');
  return store;
}

/** What the hooks of a provider are called with. */
export function hookArguments(
  { url, query, body, incoming }: Context,
  provider: WebAuthnProvider,
  store: Store,
): [WebAuthnContext, WebAuthnRequest] {
  const options: WebAuthnContext = { provider, adapter: store as WebAuthnContext['adapter'], url: new URL(url) };
  return [options, { method: incoming.method, url: new URL(url), query: { ...query }, body: { ...body } }];
}
