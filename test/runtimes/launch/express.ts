import type { AddressInfo } from 'node:net';
import { ExpressAuth, getSession } from '@latchkey/express';
import { Browser } from '@latchkey/testing';
import application from 'express';
import type { Cases } from '../portable/case.ts';
import { ada } from '../portable/credentials.ts';
import { equal } from '../portable/expect.ts';

/** Flows over a socket, where the runtime has node:http. */
export const express: Cases = {
  'signs in and out through Express': async () => {
    const config = { providers: [ada] };
    const app = application();
    app.use('/auth', ExpressAuth(config));
    app.get('/', async (req, res) => {
      res.json((await getSession(req, config))?.user ?? null);
    });
    const server = app.listen(0, '127.0.0.1');
    try {
      await new Promise((resolve, reject) => server.once('listening', resolve).once('error', reject));
      const { port } = server.address() as AddressInfo;
      const browser = new Browser((request) => fetch(request), { origin: `http://127.0.0.1:${port}` });
      const csrf = async (): Promise<string> =>
        (await browser.get('/auth/csrf')).json<{ csrfToken: string }>().csrfToken;
      const csrfToken = await csrf();
      const start = await browser.post('/auth/callback/credentials', { csrfToken, password: 'engine' });
      equal([start.status, start.redirect?.href], [302, `${browser.origin}/`]);
      equal((await browser.get('/')).json(), { name: 'Ada Lövelace', email: 'ada@example.com' });
      const large = { csrfToken, password: 'x'.repeat(300 * 1024) };
      equal((await browser.post('/auth/callback/credentials', large)).status, 413);
      // A sign-in renews the token.
      await browser.post('/auth/signout', { csrfToken: await csrf() });
      equal((await browser.get('/')).json(), null);
    } finally {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  },
};
