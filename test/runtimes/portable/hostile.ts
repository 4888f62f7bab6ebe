import { application, sessionCookies } from './application.ts';
import type { Cases } from './case.ts';
import { ada } from './credentials.ts';
import { equal, holds } from './expect.ts';

const providers = [ada];

export const hostile: Cases = {
  'refuses a body that is too large': async () => {
    const app = application({ providers });
    equal((await app.post('callback/credentials', { password: 'x'.repeat(300 * 1024) })).status, 413);
    equal(sessionCookies(app), []);
  },

  'refuses an endless body without waiting for its end': async () => {
    const { browser } = application({ providers });
    const piece = new TextEncoder().encode('x'.repeat(64 * 1024));
    const pulls = { count: 0 };
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        pulls.count += 1;
        controller.enqueue(piece);
      },
    });
    const { Auth } = await import('@latchkey/core');
    const response = await Auth(
      // `duplex` is asked for by some runtimes and not known to all types.
      new Request(`${browser.origin}/auth/callback/credentials`, {
        ...{ method: 'POST', body, duplex: 'half' },
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      }),
      { providers, secret: 'x'.repeat(32), trustHost: true },
    );
    equal(response.status, 413);
    holds(pulls.count < 50, `${pulls.count} pieces were read`);
  },

  'survives malformed cookies': async () => {
    for (const cookie of [
      ';;=;%%%; authjs.session-token; =x',
      'authjs.session-token=abc; authjs.csrf-token=%E0%A4%A; authjs.callback-url=%%',
      'authjs.session-token.0=a; authjs.session-token.9=b; authjs.session-token.x=c',
      'authjs.session-token=e30..AAAAAAAAAAAAAAAAAAAAAA.AAAA.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
      '__proto__=1; constructor=2; authjs.csrf-token=a|b|c',
      `authjs.session-token=${'a'.repeat(60 * 1024)}`,
    ]) {
      const { browser } = application({ providers });
      const page = await browser.get('/auth/session', { headers: { cookie } });
      equal([page.status, page.json()], [200, null], cookie.slice(0, 60));
      equal((await browser.get('/auth/signin', { headers: { cookie } })).status, 200, cookie.slice(0, 60));
    }
  },

  "refuses other sites' forms, and forms without a token": async () => {
    const { browser, post } = application({ providers });
    const { csrfToken } = (await browser.get('/auth/csrf')).json<{ csrfToken: string }>();
    const fields = { csrfToken, password: 'engine' };
    await browser.post('/auth/callback/credentials', fields, { site: 'cross-site' });
    await browser.post('/auth/callback/credentials', { password: 'engine' });
    await browser.post('/auth/callback/credentials', { ...fields, csrfToken: 'f'.repeat(64) });
    equal((await browser.get('/auth/session')).json(), null);
    await post('callback/credentials', { password: 'engine' });
    holds((await browser.get('/auth/session')).json() !== null, 'its own form signs in');
  },

  'refuses a foreign Origin where the browser says nothing else': async () => {
    const app = application({ providers }, { sendMetadata: false });
    const { csrfToken } = (await app.browser.get('/auth/csrf')).json<{ csrfToken: string }>();
    const fields = { csrfToken, password: 'engine' };
    await app.browser.post('/auth/callback/credentials', fields, { headers: { origin: 'https://evil.test' } });
    equal(await app.session(), null);
    await app.browser.post('/auth/callback/credentials', fields, { headers: { origin: app.browser.origin } });
    holds((await app.session()) !== null, 'its own origin signs in');
  },

  'leads to no other site': async () => {
    for (const callbackUrl of ['https://evil.test/', '//evil.test', '/\\evil.test', 'javascript:alert(1)']) {
      const app = application({ providers });
      const page = await app.post('callback/credentials', { password: 'engine', callbackUrl });
      equal(page.redirect?.origin, app.browser.origin, callbackUrl);
    }
  },
};
