// The build fails if the browser would load this file.
import 'server-only';
import { H3Auth } from '@latchkey/h3';
import { exampleConfig } from '../../shared/example-config.ts';

/** The configuration has the providers of all examples. */
export const { handler, auth, requireSession, signOut, update } = H3Auth(exampleConfig('SolidStart'));
