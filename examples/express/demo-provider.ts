import { type OidcProvider, startOidcProvider } from '@latchkey/testing/oidc-provider';

/** How this application is known to the provider. */
export const client = { client_id: 'latchkey-demo', client_secret: 'known to everybody, good for the demo only' };

/**
 * A real OpenID provider with three users, on this machine. In its place stands Google, Keycloak, …
 *
 * @param port Where it listens, unless somebody else has come to listen there: then on any port.
 */
export async function startDemoProvider(port: number, origin: string): Promise<OidcProvider> {
  const start = (at: number): Promise<OidcProvider> =>
    startOidcProvider({
      port: at,
      requirePkce: true,
      clients: [{ ...client, redirect_uris: [`${origin}/auth/callback/demo`] }],
    });
  try {
    return await start(port);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    return start(0);
  }
}
