import type { OAuthProvider } from '../../config/provider.ts';
import { fromBase64Url } from '../../crypto/decoding.ts';
import { OAuthCallbackError } from '../../errors.ts';
import type { Awaitable } from '../../types.ts';
import type { IdToken } from './id-token.ts';
import type { CallbackServer } from './server.ts';
import type { ExchangeInput } from './token.ts';

type TokenIssuer = NonNullable<OAuthProvider['tokenIssuer']>;

/**
 * The server with the issuer that this very ID token must name, for a provider with an issuer per tenant: the token says which
 * tenant, and then has to be that tenant's.
 *
 * @param answer The token endpoint's answer; it is not consumed.
 */
export function withTokenIssuer({ provider, server }: ExchangeInput, answer: Response): Awaitable<CallbackServer> {
  return provider.tokenIssuer ? ofTenant(server, answer, provider.tokenIssuer) : server;
}

async function ofTenant(server: CallbackServer, answer: Response, tokenIssuer: TokenIssuer): Promise<CallbackServer> {
  const claims = await uncheckedClaims(answer.clone());
  const issuer = claims ? tokenIssuer(server.server.issuer, claims) : undefined;
  return issuer === undefined ? server : { ...server, server: { ...server.server, issuer } };
}

/**
 * The callback's `iss` (RFC 9207) of such a provider can be compared only now that the tenant is known.
 *
 * @throws {OAuthCallbackError} when it is another one than the ID token's.
 */
export function checkSameIssuer({ provider, params }: ExchangeInput, claims: IdToken | undefined): void {
  const said = params.get('iss');
  if (!provider.tokenIssuer || said === null || said === claims?.iss) return;
  throw new OAuthCallbackError('the callback names another issuer than the ID token', { provider: provider.id });
}

/** Nothing is believed yet: what they say is what is checked. Whatever cannot be read is left to the checks. */
async function uncheckedClaims(answer: Response): Promise<Record<string, unknown> | undefined> {
  try {
    const { id_token } = (await answer.json()) as { id_token: string };
    const payload = fromBase64Url(id_token.split('.')[1] ?? '');
    return payload && (JSON.parse(new TextDecoder().decode(payload)) as Record<string, unknown>);
  } catch {
    return undefined;
  }
}
