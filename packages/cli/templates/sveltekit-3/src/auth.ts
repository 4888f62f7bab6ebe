import { SvelteKitAuth } from '@latchkey/sveltekit';
import GitHub from '@latchkey/sveltekit/providers/github';
import * as env from '$app/env/private';
//#store import { adapter } from './store.ts';

/** The secret and the client of each provider come from the environment; see `.env.example` and `env.ts`. */
export const { handle, signIn, signOut, auth } = SvelteKitAuth(
  {
    //#store adapter,
    providers: [GitHub],
  },
  env,
);
