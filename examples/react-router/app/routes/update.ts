import { redirect } from 'react-router';
import { update } from '../auth.server.ts';
import type { Route } from './+types/update.ts';

export const action = async ({ request, context }: Route.ActionArgs) => {
  const form = await request.formData();
  await update(context, { name: form.get('name') });
  return redirect('/');
};
