import { type OidcProvider, startOidcProvider } from '@latchkey/testing/oidc-provider';
import { orAnywhere } from './port.ts';

/** How this application is known to the provider. */
export const client = { client_id: 'latchkey-demo', client_secret: 'known to everybody, good for the demo only' };

/**
 * A real OpenID provider with three users, on this machine. In its place stands Google, Keycloak, …
 *
 * @param port Where it listens, unless somebody else has come to listen there: then on any port.
 * @param callback Address of ours that visitors come back to.
 */
export function startDemoProvider(port: number, callback: string): Promise<OidcProvider> {
  return orAnywhere(port, (at) =>
    startOidcProvider({ port: at, requirePkce: true, clients: [{ ...client, redirect_uris: [callback] }] }),
  );
}
