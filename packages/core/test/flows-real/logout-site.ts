import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Auth } from '@latchkey/core';
import { AuthError } from '@latchkey/core/errors';
import type { AuthConfig, SessionRecords } from '@latchkey/core/types';
import type { OidcClient } from '@latchkey/testing/oidc-provider';

/** How a site is served. */
export interface SiteOptions {
  /** The address that browsers know. */
  readonly origin: string;
  /** Its client at the provider. */
  readonly clientId: string;
  readonly issuer: string;
  readonly store: SessionRecords;
  /** Default: a free port. */
  readonly port?: number;
}

/** A site that is served by this process. */
export interface Site {
  readonly origin: string;
  readonly clientId: string;
  readonly port: number;
  /** The logout tokens that were posted to it. */
  readonly tokens: readonly string[];
  /** Types of errors and codes of warnings. */
  readonly log: readonly string[];
  close(): void;
}

const clientSecret = 'a secret of at least 32 characters, for HS256 too';

/** Returns the metadata of a site's client at the provider. */
export function clientOf({ origin, clientId, port }: Site): OidcClient {
  return {
    client_id: clientId,
    client_secret: clientSecret,
    redirect_uris: [`${origin}/auth/callback/idp`],
    post_logout_redirect_uris: [`${origin}/auth/logout/idp`],
    backchannel_logout_uri: `http://127.0.0.1:${port}/auth/logout/idp`,
    backchannel_logout_session_required: true,
  };
}

/** Serves a site that signs in at a provider, keeps records of sessions, and signs out at and from the provider. */
export async function serveSite({ origin, clientId, issuer, store, port = 0 }: SiteOptions): Promise<Site> {
  const log: string[] = [];
  const tokens: string[] = [];
  const config: AuthConfig = {
    secret: `the secret of the site ${origin}, 32+`,
    trustHost: true,
    providers: [{ id: 'idp', name: 'Provider', type: 'oidc', issuer, clientId, clientSecret }],
    session: { records: { store, revocationLag: 0 } },
    logout: { provider: true, backchannel: true },
    logger: {
      error: (error) => log.push(error instanceof AuthError ? error.type : error.name),
      warn: (code) => log.push(code),
    },
  };
  const server = createServer(async (request, response) => {
    const { method = 'GET', headers, url = '/' } = request;
    if (!url.startsWith('/auth/')) {
      response.writeHead(200, { 'content-type': 'text/html' }).end(`<title>Site</title><h1>${clientId}</h1>`);
      return;
    }
    const body = method === 'GET' ? null : await text(request);
    const token = new URLSearchParams(body ?? '').get('logout_token');
    if (token) tokens.push(token);
    const asked = new Request(origin + url, { method, headers: headers as Record<string, string>, body });
    const answer = await Auth(asked, config);
    const lines = [...answer.headers].filter(([name]) => name !== 'set-cookie').flat();
    const cookies = answer.headers.getSetCookie().flatMap((line) => ['set-cookie', line]);
    response.writeHead(answer.status, [...lines, ...cookies]).end(await answer.text());
  });
  await once(server.listen(port, '127.0.0.1'), 'listening');
  return {
    origin,
    clientId,
    port: (server.address() as AddressInfo).port,
    tokens,
    log,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
