import { createCsrfMiddleware, createMiddleware, createStart } from '@tanstack/react-start';
import { handler } from './auth.server.ts';

// Start's own check, which an application with this file has to name.
const csrf = createCsrfMiddleware({ filter: ({ handlerType }) => handlerType === 'serverFn' });
// Answers below `/auth`, and renews the session on the responses of all routes.
const session = createMiddleware().server(handler);

export const startInstance = createStart(() => ({ requestMiddleware: [csrf, session] }));
