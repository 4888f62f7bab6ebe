import { signIn } from '../auth';
import { callRoute } from '../call';

export const POST = callRoute(async (context, { provider, ...options }) => ({
  url: await signIn(context, provider, options),
}));
