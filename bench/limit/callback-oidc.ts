import { createPublicKey, hash, type JsonWebKey, type KeyObject, randomUUID, verify } from 'node:crypto';
import { basePath, cookieNames } from '../visitor.ts';
import { sessionAttributes } from './parts/cookies.ts';
import { flowLine, type PendingFlow, pendingFlows } from './parts/flows.ts';
import { bounded } from './parts/form.ts';
import { seal } from './parts/jwe.ts';
import { equal, renewedLines, visit } from './parts/site.ts';

/** The provider's metadata and keys, which are known before the first request. */
export interface Provider {
  readonly id: string;
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly token: string;
  readonly keys: readonly (JsonWebKey & { kid?: string })[];
  readonly fetch: typeof fetch;
}

const MAX_AGE = 30 * 24 * 60 * 60;
const LONGEST_ANSWER = 1_048_576;
const TIME_LIMIT = 10_000;
const names = ['authjs.state', 'authjs.pkce.code_verifier'] as const;

/** `GET callback/<provider>`: exchanges the code, verifies the ID token with its signature, and starts a session. */
export function callbackAnswerer(
  provider: Provider,
  secrets: readonly string[],
): (request: Request) => Promise<Response> {
  const keys = new Map(provider.keys.map((key) => [key.kid, createPublicKey({ key, format: 'jwk' })]));
  const credentials = `${encodeURIComponent(provider.clientId)}:${encodeURIComponent(provider.clientSecret)}`;
  const headers = {
    accept: 'application/json',
    authorization: `Basic ${Buffer.from(credentials).toString('base64')}`,
    'content-type': 'application/x-www-form-urlencoded;charset=UTF-8',
  };
  const path = `/callback/${provider.id}`;
  const refused = (why: string): never => {
    throw new Error(why);
  };
  return async (request) => {
    const visited = (request.method === 'GET' ? visit(request, secrets) : undefined) ?? refused('path');
    const mark = visited.path.indexOf('?');
    if (visited.path.slice(0, mark) !== path) refused('path');
    const params = new URLSearchParams(visited.path.slice(mark + 1));
    for (const name of ['code', 'state', 'iss', 'error', 'response', 'id_token'])
      if (params.getAll(name).length > 1) refused(name);
    const [code, state, iss] = [params.get('code'), params.get('state'), params.get('iss')];
    if (!code || !state || params.has('error') || (iss !== null && iss !== provider.issuer)) refused('answer');
    const { origin, csrfToken, lines, cookies } = visited;
    const now = Math.floor(Date.now() / 1000);
    const tag = hash('sha256', state as string, 'base64url').slice(0, 22);
    const [sent, verifier] = names.map((name) => {
      const pending = pendingFlows(cookies[name], name, secrets, now);
      const found = pending.find((flow) => flow.provider === provider.id && equal(flow.tag, tag));
      lines.push([
        'set-cookie',
        flowLine(
          name,
          pending.filter((flow) => flow !== found),
          secrets,
          now,
        ),
      ]);
      return found ?? refused(name);
    }) as [PendingFlow, PendingFlow];
    if (!equal(sent.value, state as string)) refused('state');
    for (const { memo } of [sent, verifier])
      if (!equal(memo?.browser ?? '', csrfToken.slice(0, 22))) refused('browser');
    const body = new URLSearchParams({
      code: code as string,
      redirect_uri: `${origin}${basePath}${path}`,
      code_verifier: verifier.value,
      grant_type: 'authorization_code',
    }).toString();
    const signal = AbortSignal.timeout(TIME_LIMIT);
    const answer = await provider.fetch(provider.token, { method: 'POST', headers, body, redirect: 'manual', signal });
    if (answer.status !== 200 || !answer.headers.get('content-type')?.startsWith('application/json')) refused('token');
    const text = (answer.body && (await bounded(answer.body, LONGEST_ANSWER))) ?? refused('body');
    const tokens = JSON.parse(text.toString()) as Record<string, unknown>;
    if (typeof tokens['access_token'] !== 'string' || String(tokens['token_type']).toLowerCase() !== 'bearer')
      refused('token');
    const claims = claimsOf(String(tokens['id_token']), keys) ?? refused('signature');
    if (!holds(claims, provider, tokens['access_token'] as string, now)) refused('claims');
    const payload = {
      name: claims['name'],
      email: claims['email'],
      picture: claims['picture'],
      sub: randomUUID(),
      sid: randomUUID(),
    };
    const token = seal(payload, secrets[0] as string, cookieNames.session, MAX_AGE, now);
    lines.push(['set-cookie', `${cookieNames.session}=${token}${sessionAttributes(Date.now() + MAX_AGE * 1000)}`]);
    const location = sent.memo?.returnTo ?? visited.callbackUrl;
    return new Response(null, {
      status: 302,
      headers: [
        ['location', location],
        ['cache-control', 'private, no-store'],
        ['x-content-type-options', 'nosniff'],
        ...lines,
        ...renewedLines(visited, secrets),
      ],
    });
  };
}

/** Returns the claims of an ID token that one of the provider's keys has signed. */
function claimsOf(
  token: string,
  keys: ReadonlyMap<string | undefined, KeyObject>,
): Record<string, unknown> | undefined {
  const [head = '', payload = '', signature = ''] = token.split('.');
  const header = JSON.parse(Buffer.from(head, 'base64url').toString()) as { alg?: string; kid?: string; typ?: string };
  const key = header.alg === 'RS256' && (header.typ ?? 'JWT') === 'JWT' ? keys.get(header.kid) : undefined;
  if (!key) return undefined;
  const signed = Buffer.from(token.slice(0, head.length + 1 + payload.length), 'latin1');
  if (!verify('sha256', signed, key, Buffer.from(signature, 'base64url'))) return undefined;
  return JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown>;
}

/** Validates the claims (OpenID Connect Core §3.1.3.7). */
function holds(
  claims: Record<string, unknown>,
  { issuer, clientId }: Provider,
  accessToken: string,
  now: number,
): boolean {
  const { iss, aud, azp, exp, iat, nonce, at_hash, sub } = claims;
  if (iss !== issuer || aud !== clientId || (azp !== undefined && azp !== clientId)) return false;
  if (typeof exp !== 'number' || exp <= now - 30 || typeof iat !== 'number' || iat > now + 30) return false;
  if (nonce !== undefined || typeof sub !== 'string' || sub === '') return false;
  if (at_hash === undefined) return true;
  return equal(String(at_hash), hash('sha256', accessToken, 'buffer').toString('base64url', 0, 16));
}
