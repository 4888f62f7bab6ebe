import type { APIRoute } from 'astro';

export const GET: APIRoute = async ({ locals }) => {
  await locals.auth();
  throw new Error('a secret detail of the application');
};
