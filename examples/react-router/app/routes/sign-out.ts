import { signOut } from '../auth.server.ts';
import type { Route } from './+types/sign-out.ts';

export const action = async ({ context }: Route.ActionArgs): Promise<void> => {
  await signOut(context, { redirectTo: '/' });
};
