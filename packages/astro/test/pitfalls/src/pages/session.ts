import type { APIRoute } from 'astro';
import { signOut } from '../auth';

export const GET: APIRoute = async (context) => {
  if (context.url.searchParams.has('sign-out')) await signOut(context);
  return Response.json(await context.locals.auth());
};
