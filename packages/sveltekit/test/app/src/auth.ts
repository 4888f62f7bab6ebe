import { SvelteKitAuth } from '@latchkey/sveltekit';
import { scene } from './scene.ts';

export const { handle, signIn, signOut, auth, update, pendingMail, sessions, account } = SvelteKitAuth((event) =>
  scene().config(event),
);
