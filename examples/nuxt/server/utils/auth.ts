import { H3Auth } from '@latchkey/nuxt/server';
import { exampleConfig } from '../../../shared/example-config';

/** The configuration has the providers of all examples. */
export const { handler, auth, requireSession, signIn, signOut, update } = H3Auth(exampleConfig('Nuxt'));
