import { handler } from '../../auth';

export const prerender = false;
export const ALL = handler;
