import { handler } from '../auth.server.ts';

export const loader = handler;
export const action = handler;
