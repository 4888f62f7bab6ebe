import { handler } from '../auth.server';

export const loader = handler;
export const action = handler;
