import { visit } from './parts/site.ts';

/** `GET csrf`. */
export function csrf(request: Request, secrets: readonly string[]): Response {
  const visited = request.method === 'GET' ? visit(request, secrets) : undefined;
  if (visited?.path !== '/csrf') return new Response(null, { status: 400 });
  return new Response(`{"csrfToken":"${visited.csrfToken}"}`, {
    headers: [
      ['content-type', 'application/json'],
      ['cache-control', 'private, no-cache, no-store'],
      ['x-content-type-options', 'nosniff'],
      ['expires', '0'],
      ['pragma', 'no-cache'],
      ...visited.lines,
    ],
  });
}
