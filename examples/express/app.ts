import { ExpressAuth, getSession, tokensFrom } from '@latchkey/express';
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import type { ShownMail } from '../shared/inbox-page.ts';
import { icon, pagePolicy } from '../shared/style.ts';
import type { AuthConfigs } from './auth.ts';
import { inbox } from './inbox.ts';
import { failurePage, missingPage, privatePage } from './pages.ts';
import { profilePage } from './profile.ts';
import { modeCookie, readMode } from './session-mode.ts';
import { startPage } from './start-page.ts';
import type { Store } from './store.ts';

/** The parts that the application needs. */
export interface AppParts {
  configs: AuthConfigs;
  /** Address of the OpenID provider, which serves the users' pictures. */
  issuer: string;
  /** The received mails, the oldest first. The mail server appends to this list. */
  mails: readonly ShownMail[];
  store: Pick<Store, 'name' | 'countSessions'>;
}

/** Returns the application: a public page, a page for signed-in users, and the inbox. */
export function createApp({ configs, issuer, mails, store }: AppParts): Express {
  const app = express().disable('x-powered-by').disable('etag').set('trust proxy', 'loopback');

  const auth = { jwt: ExpressAuth(configs.jwt), database: ExpressAuth(configs.database) };
  app.use('/auth', (request, response, next) => auth[readMode(request)](request, response, next));

  app.get('/favicon.ico', (_request, response) => void response.type('svg').send(icon));

  app.use(headers(issuer));
  app.get('/', async (request, response) => {
    const mode = readMode(request);
    const session = await getSession(request, configs[mode]);
    const rows = mode === 'database' ? await store.countSessions(session?.user?.email ?? '') : 0;
    response.send(startPage({ session, mode, rows, store: store.name }));
  });
  app.get('/private', async (request, response) => {
    const session = await getSession(request, configs[readMode(request)]);
    if (session) response.send(privatePage(session));
    else response.redirect(`/auth/signin?callbackUrl=${encodeURIComponent(request.originalUrl)}`);
  });
  app.get('/profile', async (request, response) => {
    response.send(await profilePage(tokensFrom(request, configs[readMode(request)]), issuer));
  });
  app.post('/sessions', express.urlencoded({ extended: false }), switchMode);
  app.use('/inbox', inbox(mails));

  app.use((_request, response) => void response.status(404).send(missingPage()));
  app.use(onError);
  return app;
}

/** Pages depend on the visitor, so caches must not keep them. */
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

const switchMode: RequestHandler = (request, response, next) => {
  // Refuses forms that another site sends.
  if (request.get('sec-fetch-site') === 'cross-site') return next();
  const mode = request.body?.sessions === 'database' ? 'database' : 'jwt';
  response.cookie(modeCookie, mode, { httpOnly: true, sameSite: 'lax', maxAge: 30 * 24 * 60 * 60 * 1000 });
  response.redirect(303, '/#sessions');
};

const onError: ErrorRequestHandler = (error, _request, response, next) => {
  console.error(error);
  if (response.headersSent) next(error);
  else response.status(500).send(failurePage());
};
