import { middleware } from './auth';

export const onRequest = middleware;
