import { SvelteKitAuth } from '@latchkey/sveltekit';
import { scene } from './scene.ts';

export const { handle, signIn, signOut, auth, update, pendingMail, sessions, account, tokens } = SvelteKitAuth(
  (event) => scene().config(event),
);
