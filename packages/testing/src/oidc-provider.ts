import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import {
  avatar,
  configurationFor,
  defaultUsers,
  type OidcClient,
  type OidcUser,
} from './oidc-provider/configuration.ts';
import { handleInteraction, INTERACTION_PATH } from './oidc-provider/interaction.ts';
import { makeLibrary, type OidcLibrary } from './oidc-provider/library.ts';

export type { OidcClient, OidcUser };
export { defaultUsers };

/** Options of {@link startOidcProvider}. */
export interface OidcProviderOptions {
  /** Default: 0, a free port. */
  port?: number;
  /** A loopback name or address. Default: `localhost`. */
  host?: string;
  /** The applications that may use the provider. */
  clients: readonly OidcClient[];
  /** Default: {@link defaultUsers}. */
  users?: readonly OidcUser[];
  /** Whether the provider refuses authorization requests without PKCE. Default: false. */
  requirePkce?: boolean;
  /** Whether ID tokens contain profile and email. If not, only userinfo contains them. Default: true. */
  claimsInIdToken?: boolean;
  /** Whether applications can end the visitor's session (RP-Initiated Logout). Default: true. */
  rpInitiatedLogout?: boolean;
  /**
   * Whether the provider posts logout tokens to the `backchannel_logout_uri` of its clients when a visitor signs out.
   * Default: false.
   */
  backchannelLogout?: boolean;
  /**
   * Whether each refresh token can be used once. A second use revokes the grant (RFC 9700 §4.14). Default: false, as by
   * default in the npm package.
   */
  rotateRefreshTokens?: boolean;
  /** Whether the provider does not print its internal errors. Default: true. */
  quiet?: boolean;
}

/** A running provider. */
export interface OidcProvider {
  /** `http://<host>:<port>`, without a trailing slash. */
  readonly issuer: string;
  /** The same as {@link OidcProvider.issuer}. */
  readonly url: string;
  /** The users who can sign in, with their passwords. */
  readonly users: readonly OidcUser[];
  /** The `grant_type` of each token request so far, the oldest first. */
  readonly tokenRequests: readonly string[];
  /** Stops listening and closes all connections, as an outage does. Sessions, codes and keys stay. */
  stop(): Promise<void>;
  /** Listens again on the same port after {@link OidcProvider.stop}. */
  start(): Promise<void>;
  /** Stops the provider. It cannot be started again. */
  close(): Promise<void>;
}

/**
 * Starts a real OpenID provider (the npm package `oidc-provider`) with a login page, on a loopback address. For
 * development, demonstrations and end-to-end tests. Each start makes new keys, and nothing is stored.
 *
 * ```ts
 * const client = { client_id: 'app', client_secret: secret, redirect_uris: ['http://localhost:3000/auth/callback/idp'] };
 * const { issuer } = await startOidcProvider({ clients: [client] });
 * const provider = { id: 'idp', name: 'Provider', type: 'oidc', issuer, clientId: 'app', clientSecret: secret };
 * ```
 *
 * @throws {TypeError} if `host` is not a loopback name.
 * @throws {Error} if the port is taken, or if the metadata of a client is not valid.
 */
export async function startOidcProvider(options: OidcProviderOptions): Promise<OidcProvider> {
  const {
    host = 'localhost',
    users = defaultUsers,
    requirePkce = false,
    claimsInIdToken = true,
    rpInitiatedLogout = true,
    backchannelLogout = false,
    rotateRefreshTokens = false,
    quiet = true,
  } = options;
  if (!['localhost', '127.0.0.1', '::1'].includes(host))
    throw new TypeError(`the test provider listens on loopback only, not on ${host}`);
  const tokenRequests: string[] = [];
  let ready: (listener: Listener) => void = () => undefined;
  const listener = new Promise<Listener>((resolve) => {
    ready = resolve;
  });
  // Requests that arrive before the keys exist wait for them.
  const server = createServer((request, response) => void listener.then((answer) => answer(request, response)));
  const port = await listen(server, options.port ?? 0, host);
  const issuer = `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  try {
    const library = makeLibrary(
      issuer,
      await configurationFor({
        clients: options.clients,
        users,
        issuer,
        requirePkce,
        claimsInIdToken,
        rpInitiatedLogout,
        backchannelLogout,
        rotateRefreshTokens,
      }),
    );
    if (!quiet) library.on('server_error', (_context, error) => console.error(error));
    if (!quiet) library.on('backchannel.error', (_context, error) => console.error(error));
    for (const event of ['grant.success', 'grant.error'] as const) {
      library.on(event, ({ oidc }) => tokenRequests.push(String(oidc.params?.['grant_type'])));
    }
    ready(requestListener(library, users));
  } catch (error) {
    await stop(server);
    throw error;
  }
  return {
    issuer,
    url: issuer,
    users,
    tokenRequests,
    stop: () => stop(server),
    start: async () => {
      if (!server.listening) await listen(server, port, host);
    },
    close: () => stop(server),
  };
}

type Listener = (request: IncomingMessage, response: ServerResponse) => void;

function requestListener(library: OidcLibrary, users: readonly OidcUser[]): Listener {
  const answer = library.callback();
  return (request, response) => {
    const path = request.url?.split('?')[0] ?? '/';
    const failed = (): void => {
      if (!response.headersSent) response.writeHead(500);
      response.end();
    };
    if (path.startsWith(INTERACTION_PATH)) handleInteraction(library, users, request, response).catch(failed);
    else if (path.startsWith('/avatar/')) sendAvatar(users, path, response);
    else answer(request, response).catch(failed);
  };
}

function sendAvatar(users: readonly OidcUser[], path: string, response: ServerResponse): void {
  const user = users.find(({ sub }) => path === `/avatar/${encodeURIComponent(sub)}.svg`);
  if (!user) {
    response.writeHead(404).end();
    return;
  }
  response.writeHead(200, {
    'content-type': 'image/svg+xml',
    'cache-control': 'max-age=3600',
    'content-security-policy': "default-src 'none'",
  });
  response.end(avatar(user.name));
}

/** @returns The port on which the server listens. */
function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      const address = server.address();
      resolve(typeof address === 'object' && address ? address.port : port);
    });
  });
}

function stop(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
