import { AstroAuth } from '@latchkey/astro';
import { exampleConfig } from '../../shared/example-config.ts';

/** The configuration has the providers of all examples. */
export const { handler, middleware, requireSession, signOut, update } = AstroAuth(exampleConfig('Astro'));
