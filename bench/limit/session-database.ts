import { cookieNames } from '../visitor.ts';
import { visit } from './parts/site.ts';

/** A session with its user, as the statement returns it. */
export interface Row {
  readonly expires: Date | string;
  readonly name: string | null;
  readonly email: string;
  readonly image: string | null;
}

/** Finds a session by its token. */
export type Find = (token: string) => Row | undefined | Promise<Row | undefined>;

const UPDATE_AGE = 24 * 60 * 60 * 1000;
const MAX_AGE = 30 * UPDATE_AGE;

/** `GET session` with one statement. The measured sessions are not old enough to be extended. */
export function databaseAnswerer(find: Find, secrets: readonly string[]): (request: Request) => Promise<Response> {
  return async (request) => {
    const visited = request.method === 'GET' ? visit(request, secrets) : undefined;
    if (visited?.path !== '/session') return new Response(null, { status: 400 });
    const headers: [string, string][] = [
      ['content-type', 'application/json'],
      ['cache-control', 'private, no-cache, no-store'],
      ['x-content-type-options', 'nosniff'],
      ['expires', '0'],
      ['pragma', 'no-cache'],
      ...visited.lines,
    ];
    const token = visited.cookies[cookieNames.session];
    const row = token ? await find(token) : undefined;
    const expires = new Date(row?.expires ?? 0);
    const left = expires.getTime() - Date.now();
    if (!row || left < 0) return new Response('null', { headers });
    if (left < MAX_AGE - UPDATE_AGE) throw new Error('this session would have to be extended');
    const { name, email, image } = row;
    headers.push([
      'set-cookie',
      `${cookieNames.session}=${encodeURIComponent(token as string)}; Path=/; Expires=${expires.toUTCString()}; HttpOnly; SameSite=Lax`,
    ]);
    return new Response(JSON.stringify({ user: { name, email, image }, expires: expires.toISOString() }), { headers });
  };
}
