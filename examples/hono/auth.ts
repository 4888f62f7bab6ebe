import { getConnInfo } from '@hono/node-server/conninfo';
import { HonoAuth } from '@latchkey/hono';
import { exampleConfig } from '../shared/example-config.ts';

/** The configuration has the providers of all examples. Limits of attempts count the visitor's address. */
export const { handler, auth, required, signOut, update } = HonoAuth(exampleConfig('Hono'), process.env, {
  clientAddress: (c) => getConnInfo(c).remote.address,
});
