import type { APIRoute } from 'astro';

export const GET: APIRoute = async ({ locals }) => {
  const first = await locals.auth();
  if (first?.user) first.user.name = 'Changed';
  return Response.json([first, await locals.auth()]);
};
