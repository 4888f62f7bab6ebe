import { hash } from 'node:crypto';
import { basePath } from '../visitor.ts';
import { flowLine, type Memo, type PendingFlow, pendingFlows } from './parts/flows.ts';
import { formOf, isSameOrigin } from './parts/form.ts';
import { equal, random, visit } from './parts/site.ts';

/** The provider's metadata, which is known before the first request. */
export interface Endpoint {
  readonly id: string;
  readonly clientId: string;
  /** Authorization URL with the parameters that all requests share. */
  readonly authorization: string;
  /** Whether the metadata states that the provider supports PKCE. */
  readonly pkce: boolean;
}

/** `POST signin/<provider>`: makes state and code verifier, and redirects to the provider. */
export function signInAnswerer(
  endpoint: Endpoint,
  secrets: readonly string[],
): (request: Request) => Promise<Response> {
  const starts = new Map<string, string>();
  return async (request) => {
    const form = request.method === 'POST' ? await formOf(request) : undefined;
    const visited = form && visit(request, secrets, form.get('callbackUrl') ?? undefined);
    if (visited?.path !== `/signin/${endpoint.id}`) return new Response(null, { status: 400 });
    const { origin, csrfToken, callbackUrl, cookies, lines, knowsToken } = visited;
    if (!knowsToken || !equal(form?.get('csrfToken') ?? '', csrfToken) || !isSameOrigin(request, origin)) {
      return new Response(null, { status: 302, headers: { location: `${origin}${basePath}/signin?csrf=true` } });
    }
    const now = Math.floor(Date.now() / 1000);
    const state = random(32, 'base64url');
    const verifier = random(32, 'base64url');
    const tag = hash('sha256', state, 'base64url').slice(0, 22);
    const browser = csrfToken.slice(0, 22);
    const bound: Memo = { browser, parts: ['state', 'pkceCodeVerifier'] };
    const memo: Memo = { returnTo: callbackUrl, ...bound, ...(endpoint.pkce ? { pkce: true } : {}) };
    const flow = { provider: endpoint.id, due: now + 900, tag };
    for (const [name, value, known] of [
      ['authjs.state', state, memo],
      ['authjs.pkce.code_verifier', verifier, bound],
    ] as const) {
      const pending: PendingFlow = { ...flow, value, memo: known };
      lines.push([
        'set-cookie',
        flowLine(name, [pending, ...pendingFlows(cookies[name], name, secrets, now)], secrets, now),
      ]);
    }
    const start = starts.get(origin) ?? keep(origin);
    const challenge = hash('sha256', verifier, 'base64url');
    const location = `${start}&state=${state}&code_challenge=${challenge}&code_challenge_method=S256`;
    return new Response(null, {
      status: 302,
      headers: [
        ['location', location],
        ['cache-control', 'private, no-store'],
        ['x-content-type-options', 'nosniff'],
        ...lines,
      ],
    });
  };

  function keep(origin: string): string {
    const url = new URL(endpoint.authorization);
    const own = [...url.searchParams];
    url.search = '';
    const redirect_uri = `${origin}${basePath}/callback/${endpoint.id}`;
    const fixed = { response_type: 'code', client_id: endpoint.clientId, redirect_uri };
    for (const [name, value] of [...Object.entries(fixed), ...own]) url.searchParams.set(name, value);
    if (starts.size < 16) starts.set(origin, url.href);
    return url.href;
  }
}
