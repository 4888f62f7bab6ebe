import * as latchkey from '@latchkey/express';
import GitHub from '@latchkey/express/providers/github';
import type { NextFunction, Request, Response } from 'express';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { loadPeer } from '../../../test/peers/load.ts';
import { frameworks, secret, serve, sessionCookie } from './site.ts';

const authjs = await loadPeer<typeof latchkey>('authjs', '@auth/express');
const { default: PeerGitHub } = await loadPeer<{ default: typeof GitHub }>('authjs', '@auth/express/providers/github');
const [[, express5], [, express4]] = frameworks as [(typeof frameworks)[0], (typeof frameworks)[0]];

interface Imports {
  ExpressAuth: typeof latchkey.ExpressAuth;
  getSession: typeof latchkey.getSession;
  GitHub: typeof GitHub;
}

/** The application of the documentation of `@auth/express`, word by word but for the imports and the path. */
function readme(express: typeof express5, path: string, { ExpressAuth, getSession, GitHub }: Imports) {
  const authConfig = { providers: [GitHub] };

  async function authSession(req: Request, res: Response, next: NextFunction) {
    res.locals.session = await getSession(req, authConfig);
    next();
  }

  async function authenticatedUser(req: Request, res: Response, next: NextFunction) {
    const session = res.locals.session ?? (await getSession(req, authConfig));
    if (!session?.user) {
      res.redirect('/login');
    } else {
      next();
    }
  }

  const app = express();
  app.engine('html', (_file, options, done) => done(null, JSON.stringify((options as { user?: object }).user ?? null)));
  app.set('view engine', 'html').set('views', `${import.meta.dirname}/views`);

  // If app is served through a proxy, trust the proxy to allow HTTPS protocol to be detected
  // https://expressjs.com/en/guide/behind-proxies.html
  app.set('trust proxy', true);
  app.use(path, ExpressAuth(authConfig));
  app.use(authSession);
  app.get('/', (_req, res) => {
    const { session } = res.locals;
    res.render('view', { user: session?.user });
  });
  app.get('/profile', authenticatedUser, (_req, res) => {
    const { session } = res.locals;
    res.render('view', { user: session?.user });
  });
  const router = express.Router();
  router.use(authenticatedUser);
  router.get('/', (_req, res) => void res.send('protected'));
  app.use('/protected', router);
  return app;
}

const ours: Imports = { ...latchkey, GitHub };
const theirs: Imports = { ...authjs, GitHub: PeerGitHub };
const runs: [title: string, express: typeof express5, path: string, imports: Imports][] = [
  ['@latchkey/express on Express 4 at /auth/*', express4, '/auth/*', ours],
  ['@latchkey/express on Express 5 at /auth/*splat', express5, '/auth/*splat', ours],
  ['@latchkey/express on Express 5 at /auth/{*splat}', express5, '/auth/{*splat}', ours],
  ['@latchkey/express on Express 5 at /auth', express5, '/auth', ours],
  ['@auth/express on Express 4 at /auth/*', express4, '/auth/*', theirs],
];

describe.each(runs)('the application of the README with %s', (_title, express, path, imports) => {
  beforeEach(() => {
    vi.stubEnv('AUTH_SECRET', secret);
    vi.stubEnv('AUTH_GITHUB_ID', 'id-of-the-application');
    vi.stubEnv('AUTH_GITHUB_SECRET', 'shared');
  });
  afterEach(() => void vi.unstubAllEnvs());

  it('sends a visitor to GitHub', async () => {
    const { browser, origin } = await serve(readme(express, path, imports));
    const page = await browser.get('/auth/signin');
    const { redirect } = await browser.submit(browser.form(page, 'signin/github'));
    expect(redirect?.href).toMatch(/^https:\/\/github\.com\/login\/oauth\/authorize\?/);
    expect(redirect?.searchParams.get('client_id')).toBe('id-of-the-application');
    expect(redirect?.searchParams.get('redirect_uri')).toBe(`${origin}/auth/callback/github`);
  });

  it('shows who is signed in, and keeps others out', async () => {
    const { browser } = await serve(readme(express, path, imports));
    expect((await browser.get('/')).text()).toBe('null');
    expect((await browser.get('/profile')).location).toBe('/login');
    expect((await browser.get('/protected')).location).toBe('/login');

    const cookie = await sessionCookie({ name: 'Ada', email: 'ada@example.com' });
    for (const each of ['/', '/profile']) {
      expect((await browser.get(each, { headers: { cookie } })).json()).toMatchObject({ name: 'Ada' });
    }
    expect((await browser.get('/protected', { headers: { cookie } })).text()).toBe('protected');
  });
});
