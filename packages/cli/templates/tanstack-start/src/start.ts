import { createCsrfMiddleware, createMiddleware, createStart } from '@tanstack/react-start';
import { handler } from './auth.server';

const csrf = createCsrfMiddleware({ filter: ({ handlerType }) => handlerType === 'serverFn' });
const session = createMiddleware().server(handler);

export const startInstance = createStart(() => ({ requestMiddleware: [csrf, session] }));
