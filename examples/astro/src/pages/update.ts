import type { APIRoute } from 'astro';
import { update } from '../auth.ts';

export const POST: APIRoute = async (context) => {
  const fields = await context.request.formData();
  await update(context, { name: fields.get('name') });
  return context.redirect('/');
};
