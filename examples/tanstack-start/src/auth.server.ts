import { TanStackAuth } from '@latchkey/tanstack-start';
import { exampleConfig } from '../../shared/example-config.ts';

/** The configuration has the providers of all examples. */
export const { handler, auth, requireSession, signOut, update } = TanStackAuth(exampleConfig('TanStack Start'));
