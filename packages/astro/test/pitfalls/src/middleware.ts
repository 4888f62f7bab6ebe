import { defineMiddleware, sequence } from 'astro:middleware';
import { middleware } from './auth';

const alias = defineMiddleware(({ url }, next) =>
  next(url.pathname === '/alias' ? `/session${url.search}` : undefined),
);

export const onRequest = sequence(middleware, alias);
