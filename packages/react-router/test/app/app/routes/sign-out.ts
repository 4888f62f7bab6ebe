import { signOut } from '../auth.server.ts';
import { call } from '../call.server.ts';

export const action = call(async (context, options) => ({ url: (await signOut(context, options)).redirect }));
