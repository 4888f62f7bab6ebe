import { middleware } from './auth.ts';

export const onRequest = middleware;
