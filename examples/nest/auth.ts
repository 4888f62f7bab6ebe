import { exampleConfig } from '../shared/example-config.ts';
import { NestAuth } from './nest-auth.ts';

/** The configuration has the providers of all examples. */
export const { handler, auth, SessionGuard, signOut, update } = NestAuth(exampleConfig('Nest'));
