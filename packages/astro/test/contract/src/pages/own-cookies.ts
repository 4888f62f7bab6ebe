import type { APIRoute } from 'astro';

export const GET: APIRoute = async ({ cookies, locals, url }) => {
  cookies.set('theme', 'dark', { path: '/' });
  const session = await locals.auth();
  cookies.set('lang', 'en', { path: '/' });
  const clear = url.searchParams.get('clear');
  if (clear) cookies.set(clear, '', { maxAge: 0, path: '/' });
  return Response.json(session);
};
