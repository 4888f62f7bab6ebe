import { signIn } from '../auth.server.ts';
import { call } from '../call.server.ts';

export const action = call(async (context, { provider, ...options }) => ({
  url: await signIn(context, provider, options),
}));
