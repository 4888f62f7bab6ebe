import { signOut } from '../auth';
import { callRoute } from '../call';

export const POST = callRoute(async (context, options) => ({ url: (await signOut(context, options)).redirect }));
