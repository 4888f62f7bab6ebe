import type { APIRoute } from 'astro';
import { signOut } from '../auth.ts';

export const POST: APIRoute = async (context) => {
  const { redirect } = await signOut(context, { redirectTo: '/' });
  return context.redirect(redirect);
};
