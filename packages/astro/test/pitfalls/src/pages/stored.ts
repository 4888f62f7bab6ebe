import type { APIRoute } from 'astro';

export const GET: APIRoute = async ({ cache, locals, url }) => {
  cache.set({ maxAge: 60 });
  return Response.json(url.searchParams.has('public') ? 'for all' : await locals.auth());
};
