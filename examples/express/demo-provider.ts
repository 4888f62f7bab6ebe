import { type OidcProvider, startOidcProvider } from '@latchkey/testing/oidc-provider';

/** How this application is known to the provider. */
export const client = { client_id: 'latchkey-demo', client_secret: 'known to everybody, good for the demo only' };

/** A real OpenID provider with three users, on this machine. In its place stands Google, Keycloak, … */
export function startDemoProvider(port: number, origin: string): Promise<OidcProvider> {
  return startOidcProvider({
    port,
    requirePkce: true,
    clients: [{ ...client, redirect_uris: [`${origin}/auth/callback/demo`] }],
  });
}
