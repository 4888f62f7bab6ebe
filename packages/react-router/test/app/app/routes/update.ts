import { update } from '../auth.server.ts';
import { call } from '../call.server.ts';

export const action = call(async (context, { name }) => ({ updated: await update(context, { name }) }));
