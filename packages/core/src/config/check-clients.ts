import type { Warning } from '../log/logger.ts';
import { isRecord } from '../plain-object.ts';
import type { ProviderConfig } from '../providers/index.ts';
import type { AuthConfig } from '../types/config.ts';
import { envName } from './env.ts';
import { readableProviders } from './provider-options.ts';

/** A provider of OAuth or OpenID Connect that lacks a part of its client. Visitors cannot sign in with it. */
export interface MissingClient {
  /** Id of the provider. */
  readonly provider: string;
  /** The missing part of the client. */
  readonly lacks: 'id' | 'secret';
  /** The environment variable that sets it. */
  readonly variable: string;
}

/** Lists the providers without a client id, or without the secret that their client authenticates with. */
export function missingClients(config: Pick<AuthConfig, 'providers'>): MissingClient[] {
  return readableProviders(config).flatMap((provider) => {
    if (provider.type !== 'oauth' && provider.type !== 'oidc') return [];
    const lacks: MissingClient['lacks'][] = [];
    if (!provider.clientId) lacks.push('id');
    if (!provider.clientSecret && needsSecret(provider)) lacks.push('secret');
    const prefix = `AUTH_${envName(provider.id)}`;
    return lacks.map((part) => ({ provider: provider.id, lacks: part, variable: `${prefix}_${part.toUpperCase()}` }));
  });
}

/** Other clients are public, sign an assertion, or send the token request themselves. */
function needsSecret({ client, token }: Extract<ProviderConfig, { type: 'oauth' | 'oidc' }>): boolean {
  const method = client?.token_endpoint_auth_method ?? 'client_secret_basic';
  return method.startsWith('client_secret') && !(isRecord(token) && token['request']);
}

/** Returns the warning about such providers; `undefined` if all have their client. */
export function missingClientsWarning(config: Pick<AuthConfig, 'providers'>): Warning | undefined {
  const sentences = missingClients(config).map(
    ({ provider, lacks, variable }) => `provider "${provider}" has no client ${lacks}. Set ${variable}.`,
  );
  return sentences.length > 0 ? { code: 'client-missing', words: sentences.join(' ') } : undefined;
}
