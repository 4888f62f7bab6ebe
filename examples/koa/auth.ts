import { exampleConfig } from '../shared/example-config.ts';
import { KoaAuth } from './koa-auth.ts';

/** The configuration has the providers of all examples. */
export const { handler, auth, required, signOut, update } = KoaAuth(exampleConfig('Koa'));
