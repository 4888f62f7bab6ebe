import { waitForSuite } from '@latchkey/testing/binding-application';
import type { APIRoute } from 'astro';

export const GET: APIRoute = async ({ locals, url }) => {
  const session = await locals.auth();
  await waitForSuite(url.searchParams.get('wait'));
  return Response.json(session);
};
