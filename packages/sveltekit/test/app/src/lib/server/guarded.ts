import { guardRemote } from '@latchkey/sveltekit/guard-remote';
import { auth } from '../../auth.ts';

export const { query, command, form } = guardRemote(auth);

/** For one visitor alone. */
export const admin = guardRemote(auth, { authorize: ({ user }) => user?.name === 'Root' });
