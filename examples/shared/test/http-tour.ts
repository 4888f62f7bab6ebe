import { Browser, type Page } from '@latchkey/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { open } from '../../../test/docs/page.ts';
import { type Demo, dataFolder, freePort, startDemo } from './demo.ts';

/**
 * Adds the tests of an example without a browser's window: sign-in, guards, update and sign-out, with both strategies
 * of sessions.
 *
 * ```ts
 * describeHttpTour('koa');
 * ```
 *
 * @param example The folder in `examples`.
 */
export function describeHttpTour(example: string): void {
  describe.each(['jwt', 'database'])(`the example ${example}, with %s sessions`, (strategy) => {
    const data = dataFolder();
    const running: { demo?: Demo } = {};
    const visitor = (): Browser => new Browser(open, { origin: String(running.demo?.origin) });
    beforeAll(async () => {
      running.demo = await startDemo(example, await freePort(), data.path, { SESSION_STRATEGY: strategy });
    });
    afterAll(async () => {
      await running.demo?.stop();
      data.remove();
    });

    it('sends a visitor from the private page to the provider, and back', async () => {
      const browser = visitor();
      const signInPage = await browser.follow(await browser.get('/private?chapter=2'));
      expect(new URL(signInPage.url).pathname).toBe('/auth/signin');
      const isBack = ({ redirect }: Page): boolean => redirect?.origin === browser.origin;
      const login = await browser.follow(await browser.submit(browser.form(signInPage, 'signin/demo')), {
        until: isBack,
      });
      const answer = await browser.submit(browser.form(login), { login: 'ada', password: 'password' });
      const callback = await browser.follow(answer, { until: isBack });
      const back = await browser.get(String(callback.redirect), { site: 'cross-site' });
      expect(back.redirect?.href).toBe(`${browser.origin}/private?chapter=2`);
      expect((await browser.follow(back)).text()).toContain('Ada Lovelace');
    });

    it('guards its API', async () => {
      const browser = visitor();
      expect((await browser.get('/api/me', asScript)).status).toBe(401);
      await signInWithPassword(browser);
      expect((await browser.get('/api/me', asScript)).json()).toMatchObject({ email: 'demo@example.com' });
    });

    it('changes the name in the session', async () => {
      const browser = visitor();
      await signInWithPassword(browser);
      await browser.submit(browser.form(await browser.get('/'), '/update'), { name: 'Other Name' });
      expect((await browser.get('/private')).text()).toContain('Other Name');
    });

    it('ends the session', async () => {
      const browser = visitor();
      await signInWithPassword(browser);
      const copy = browser.clone();
      await browser.submit(browser.form(await browser.get('/'), '/sign-out'));
      expect((await browser.get('/private')).redirect?.pathname).toBe('/auth/signin');
      expect((await browser.get('/')).text()).toContain('You are not signed in');
      // A copied token stays valid until it expires; a row of the store does not.
      expect((await copy.get('/private')).status).toBe(strategy === 'jwt' ? 200 : 302);
    });
  });
}

const asScript = { mode: 'cors' } as const;

async function signInWithPassword(browser: Browser): Promise<void> {
  const page = await browser.get('/auth/signin?callbackUrl=/');
  const form = browser.form(page, (each) => each.value('identifier') !== undefined);
  const password = await browser.submit(form, { identifier: 'demo' });
  await browser.submit(browser.form(password, 'callback/credentials'), { password: 'password' });
}
