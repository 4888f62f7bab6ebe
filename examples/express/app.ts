import { ExpressAuth, type ExpressAuthConfig, getSession } from '@latchkey/express';
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import { failurePage, missingPage, privatePage, startPage } from './pages.ts';
import { icon, pagePolicy } from './style.ts';

/** The application: a page for everybody, one for those who are signed in. */
export function createApp(config: ExpressAuthConfig, issuer: string): Express {
  const app = express().disable('x-powered-by').disable('etag');

  app.use('/auth', ExpressAuth(config));

  app.get('/favicon.ico', (_request, response) => void response.type('svg').send(icon));

  app.use(headers(issuer));
  app.get('/', async (request, response) => {
    response.send(startPage(await getSession(request, config)));
  });
  app.get('/private', async (request, response) => {
    const session = await getSession(request, config);
    if (session) response.send(privatePage(session));
    else response.redirect(`/auth/signin?callbackUrl=${encodeURIComponent(request.originalUrl)}`);
  });

  app.use((_request, response) => void response.status(404).send(missingPage()));
  app.use(onError);
  return app;
}

/** Our pages depend on who is asking, so no cache may keep them. */
function headers(issuer: string): RequestHandler {
  const policy = pagePolicy(issuer);
  return (_request, response, next) => {
    response.set({
      'cache-control': 'private, no-store',
      'content-security-policy': policy,
      'referrer-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
    });
    next();
  };
}

const onError: ErrorRequestHandler = (error, _request, response, next) => {
  console.error(error);
  if (response.headersSent) next(error);
  else response.status(500).send(failurePage());
};
