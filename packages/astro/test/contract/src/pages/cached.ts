import type { APIRoute } from 'astro';

export const GET: APIRoute = async ({ locals, request, url }) => {
  const session = await locals.auth();
  const headers = new Headers({ 'content-type': 'application/json', etag: '"contract"' });
  for (const [name, value] of url.searchParams) headers.set(name, value);
  const isKnown = request.headers.get('if-none-match') === '"contract"';
  return new Response(isKnown ? null : JSON.stringify(session), { status: isKnown ? 304 : 200, headers });
};
