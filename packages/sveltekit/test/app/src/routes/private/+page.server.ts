import { redirect } from '@sveltejs/kit';
import { auth } from '../../auth.ts';

export async function load(event) {
  const session = await auth(event);
  if (!session) redirect(303, '/shop/signin');
  return { session };
}
