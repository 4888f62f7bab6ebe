import Credentials from '@latchkey/core/providers/credentials';
import type { AuthConfig } from '@latchkey/core/types';
import { type Application, application, type Handler, memoryAdapter } from '@latchkey/testing';
import { expect, it } from 'vitest';

const SESSION = 'authjs.session-token';

/** How a wrapper of Auth.js is tested. */
export interface Wrapper {
  /** Path of the actions. */
  readonly basePath: string;
  /** Whether the core asks for the CSRF token. Default: `true`. */
  readonly hasToken?: boolean | undefined;
  /**
   * Starts an application with this configuration. `GET /me` answers signed-in visitors with `{ "email": … }`, and
   * others with 401.
   */
  start(config: AuthConfig): Handler | Promise<Handler>;
}

/** Tests the ways in and out of an application with a wrapper. */
export function signsInAndOut(wrapper: Wrapper): void {
  it.each(['jwt', 'database'] as const)(
    'signs in at a provider and out, with sessions of the strategy %s',
    async (strategy) => {
      const app = await startApplication(wrapper, strategy === 'database' ? { adapter: memoryAdapter() } : {});
      const { browser } = app;
      expect((await browser.get('/me')).status).toBe(401);
      const back = await signIn(app);
      expect(back.redirect?.pathname).toBe('/me');
      expect(back.cookie(SESSION)).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/' });
      expect((await browser.get('/me')).json()).toEqual({ email: 'ada@example.com' });
      expect((await app.visitor().get('/me')).status).toBe(401);

      const page = await browser.submit(browser.form(await browser.get(`${wrapper.basePath}/signout`)));
      expect(page.cookie(SESSION)?.value).toBe('');
      expect((await browser.get('/me')).status).toBe(401);
    },
  );

  it('signs in with a password, and shows the sign-in page after a wrong one', async () => {
    const { browser } = await startApplication(wrapper);
    const enter = async (password: string) => {
      const form = browser.form(
        await browser.get(`${wrapper.basePath}/signin?callbackUrl=/me`),
        'callback/credentials',
      );
      return browser.submit(form, { password });
    };
    const refused = await enter('wrong');
    expect(refused.status).toBe(422);
    expect(refused.text()).toContain('These details are not correct.');
    expect((await enter('right')).redirect?.pathname).toBe('/me');
    expect((await browser.get('/me')).json()).toEqual({ email: 'grace@example.com' });
  });

  if (wrapper.hasToken === false) return;
  it('refuses a form without the CSRF token', async () => {
    const { browser } = await startApplication(wrapper);
    const page = await browser.post(`${wrapper.basePath}/callback/credentials`, { password: 'right' });
    expect(page.redirect?.searchParams.get('error')).toBe('MissingCSRF');
    expect((await browser.get('/me')).status).toBe(401);
  });
}

/** Starts the application of a wrapper, with a provider and a password. */
export async function startApplication(
  { basePath, start }: Wrapper,
  own: Partial<AuthConfig> = {},
): Promise<Application> {
  const running: { handler?: Handler } = {};
  const password = Credentials({
    credentials: { password: {} },
    authorize: (given) => (given.password === 'right' ? { id: '1', email: 'grace@example.com' } : null),
  });
  const app = application({
    handler: (request) => (running.handler as Handler)(request),
    config: ({ provider }) => ({ basePath, providers: [provider.provider(), password], ...own }),
  });
  running.handler = await start(app.config);
  return app;
}

/** Signs in by the built-in sign-in page. */
export async function signIn({ browser, provider, open, config }: Application) {
  const page = await browser.get(`${config.basePath}/signin?callbackUrl=/me`);
  const started = await browser.submit(browser.form(page, 'signin/fake'));
  return open(await provider.authorize(String(started.redirect)), browser);
}
