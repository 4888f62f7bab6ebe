import type { APIRoute } from 'astro';
import { requireSession } from '../../auth';

export const ALL: APIRoute = async (context) => {
  const session = await requireSession(context);
  return session instanceof Response ? session : Response.json({ user: session?.user?.name });
};
