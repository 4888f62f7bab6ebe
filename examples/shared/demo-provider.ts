import { type OidcProvider, startOidcProvider } from '@latchkey/testing/oidc-provider';
import { orAnywhere } from './port.ts';

/** The client registration of the demo at its provider. */
export const client = { client_id: 'latchkey-demo', client_secret: 'this secret is public: use it for the demo only' };

/**
 * Starts an OpenID provider with three users on this machine. A real application uses Google, Keycloak or another one.
 *
 * @param port The port. If another process uses it, the provider takes any free port.
 * @param callback The callback URL of the application.
 */
export function startDemoProvider(port: number, callback: string): Promise<OidcProvider> {
  return orAnywhere(port, (at) =>
    startOidcProvider({ port: at, requirePkce: true, clients: [{ ...client, redirect_uris: [callback] }] }),
  );
}
