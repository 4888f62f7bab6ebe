import GitHub from '@latchkey/core/providers/github';
import { application } from './application.ts';
import type { Cases } from './case.ts';
import { ada } from './credentials.ts';
import { equal, holds, matches } from './expect.ts';

const providers = [GitHub({ clientId: 'client', clientSecret: 'secret' }), ada];

export const pages: Cases = {
  'hands out a CSRF token and a cookie with its hash': async () => {
    const { browser } = application({ providers });
    const page = await browser.get('/auth/csrf');
    const { csrfToken } = page.json<{ csrfToken: string }>();
    matches(csrfToken, /^[\da-f]{64}$/);
    const cookie = page.cookie('authjs.csrf-token');
    matches(decodeURIComponent(cookie?.value ?? ''), new RegExp(`^${csrfToken}\\|[\\da-f]{64}$`));
    const again = (await browser.get('/auth/csrf')).json<{ csrfToken: string }>();
    equal(again.csrfToken, csrfToken, 'the token of the same visitor');
  },

  'lists the providers': async () => {
    const listed = (await application({ providers }).browser.get('/auth/providers')).json();
    equal(listed, {
      github: {
        id: 'github',
        name: 'GitHub',
        type: 'oauth',
        signinUrl: 'http://localhost:3000/auth/signin/github',
        callbackUrl: 'http://localhost:3000/auth/callback/github',
      },
      credentials: {
        id: 'credentials',
        name: 'Credentials',
        type: 'credentials',
        signinUrl: 'http://localhost:3000/auth/signin/credentials',
        callbackUrl: 'http://localhost:3000/auth/callback/credentials',
      },
    });
  },

  'shows the pages under a strict content security policy': async () => {
    const { browser } = application({ providers });
    for (const [path, status] of [
      ['signin', 200],
      ['signout', 200],
      ['verify-request', 200],
      ['error', 200],
      ['error?error=AccessDenied', 403],
      ['signin?error=CredentialsSignin', 200],
    ] as const) {
      const page = await browser.get(`/auth/${path}`);
      equal(page.status, status, path);
      matches(page.headers.get('content-type'), /^text\/html; *charset=utf-8$/i, path);
      matches(page.headers.get('content-security-policy'), /default-src 'none'.*'sha256-/, path);
      matches(page.text(), /<!doctype html>/i, path);
    }
  },

  'signs in by the form of the sign-in page': async () => {
    const app = application({ providers });
    const page = await app.browser.get('/auth/signin');
    equal(app.browser.forms(page).length, 2, 'forms');
    await app.browser.submit(app.browser.form(page, 'callback/credentials'), { password: 'engine' });
    equal((await app.session())?.user?.name, 'Ada Lövelace');
  },

  'refuses what it does not know': async () => {
    const { browser } = application({ providers });
    for (const path of ['nothing', 'session/more', '../signin']) {
      const { status } = await browser.get(`/auth/${path}`);
      holds(status >= 400 && status < 500, `${path} is answered with ${status}`);
    }
  },
};
