import { defineMiddleware, sequence } from 'astro:middleware';
import { middleware } from './auth';

const alias = defineMiddleware(({ url }, next) => next(url.pathname === '/alias' ? `/target${url.search}` : undefined));

export const onRequest = sequence(middleware, alias);
