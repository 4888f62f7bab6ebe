import { cookieNames } from '../visitor.ts';
import { chunked, sessionAttributes } from './parts/cookies.ts';
import { open, seal } from './parts/jwe.ts';
import { type Visit, visit } from './parts/site.ts';

const MAX_AGE = 30 * 24 * 60 * 60;
const head: readonly [string, string][] = [
  ['content-type', 'application/json'],
  ['cache-control', 'private, no-cache, no-store'],
  ['x-content-type-options', 'nosniff'],
  ['expires', '0'],
  ['pragma', 'no-cache'],
];

/** `GET session`: opens the token and seals it again. */
export function session(request: Request, secrets: readonly string[]): Response {
  const visited = request.method === 'GET' ? visit(request, secrets) : undefined;
  if (visited?.path !== '/session') return new Response(null, { status: 400 });
  const { headers, body } = sessionAnswer(visited, secrets);
  return new Response(body, { headers });
}

/** Returns headers and body for a visitor. */
export function sessionAnswer(
  { cookies, lines }: Visit,
  secrets: readonly string[],
): { headers: [string, string][]; body: string } {
  const token = chunked(cookies, cookieNames.session);
  const headers = [...head, ...lines];
  if (token === undefined) return { headers, body: 'null' };
  const now = Date.now();
  const claims = open(token, secrets, cookieNames.session, Math.floor(now / 1000));
  if (!claims) {
    headers.push(['set-cookie', `${cookieNames.session}=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax`]);
    return { headers, body: 'null' };
  }
  const expires = now + MAX_AGE * 1000;
  const value = seal(claims, secrets[0] as string, cookieNames.session, MAX_AGE, Math.floor(now / 1000));
  headers.push(['set-cookie', `${cookieNames.session}=${value}${sessionAttributes(expires)}`]);
  const { name, email, picture } = claims;
  return { headers, body: JSON.stringify({ user: { name, email, image: picture }, expires: new Date(expires) }) };
}
