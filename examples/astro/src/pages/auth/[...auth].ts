import { handler } from '../../auth.ts';

export const ALL = handler;
