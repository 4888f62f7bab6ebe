import type { APIRoute } from 'astro';
import { getSession } from 'auth-astro/server';

export const GET: APIRoute = async ({ request }) => {
  const session = await getSession(request);
  return session ? Response.json({ email: session.user?.email }) : new Response('Unauthorized', { status: 401 });
};
