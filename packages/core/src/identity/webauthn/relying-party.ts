import type { Store } from '../../config/store.ts';
import type { Context } from '../../context.ts';
import { hookArguments, type WebAuthnProvider } from './provider.ts';

/** The site to which passkeys belong. */
export interface Site {
  /** Domain. */
  readonly id: string;
  readonly name: string;
  /** Where its passkeys may be used. */
  readonly origins: string[];
}

/** The site as the provider has it; what it leaves open is the request's. Of several ids and names the first counts. */
export function siteOf(context: Context, provider: WebAuthnProvider, store: Store): Site {
  const { url, origin } = context;
  const told = provider.getRelayingParty?.(...hookArguments(context, provider, store)) ?? provider.relayingParty ?? {};
  const origins = listOf(told.origin);
  return {
    id: listOf(told.id)[0] ?? url.hostname,
    name: listOf(told.name)[0] ?? url.host,
    origins: origins.length > 0 ? origins : [origin],
  };
}

function listOf(value: string | readonly string[] | undefined): string[] {
  return (typeof value === 'string' ? [value] : [...(value ?? [])]).filter((text) => text !== '');
}
