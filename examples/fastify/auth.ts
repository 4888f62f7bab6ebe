import { FastifyAuth } from '@latchkey/fastify';
import { exampleConfig } from '../shared/example-config.ts';

/** The configuration has the providers of all examples. */
export const { plugin, auth, required, signOut, update } = FastifyAuth(exampleConfig('Fastify'));
