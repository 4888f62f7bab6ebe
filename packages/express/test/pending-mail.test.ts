import { AuthError, ExpressAuth, type ExpressAuthConfig, pendingMail } from '@latchkey/express';
import { memoryAdapter } from '@latchkey/testing';
import type { ErrorRequestHandler } from 'express';
import { describe, expect, it } from 'vitest';
import { configuration, env, frameworks, serve } from './site.ts';

const email = 'ada@example.com';

describe.each(frameworks)('pendingMail on %s', (_name, express) => {
  function site(config: ExpressAuthConfig, handlerConfig = config) {
    const app = express();
    app.use('/auth', ExpressAuth(handlerConfig, env));
    app.get('/mail', async (request, response) => {
      const id = request.query['of'];
      response.json(await pendingMail(request, config, typeof id === 'string' ? id : undefined, env));
    });
    const fail: ErrorRequestHandler = (error, _request, response, _next) =>
      void response
        .status(error.status ?? 500)
        .json({ isOurs: error instanceof AuthError, message: error.message, expose: error.expose });
    return serve(app.use(fail));
  }

  const withMails = configuration({
    adapter: memoryAdapter(),
    providers: [{ id: 'mail', name: 'Mail', type: 'email', code: true, sendVerificationRequest: () => undefined }],
  });

  it('returns the facts of the mail, on an answer that shared caches do not keep', async () => {
    const { browser } = await site(withMails);
    expect((await browser.get('/mail')).json()).toBeNull();
    await browser.submit(browser.form(await browser.get('/auth/signin'), 'signin/mail'), { email });
    const page = await browser.get('/mail?of=mail');
    const time = expect.stringMatching(/^\d{4}-.*Z$/);
    expect(page.json()).toEqual({ email, code: true, sentAt: time, resendAt: time, expires: time });
    expect(page.headers.get('cache-control')).toBe('private, no-store');
    expect((await browser.get('/mail?of=other')).json()).toBeNull();
  });

  it.each([
    ['a wrong configuration', configuration({ secret: '' }), true, /AUTH_SECRET \(`secret`\) is not set/],
    ['no configuration', undefined as unknown as ExpressAuthConfig, false, /needs the configuration/],
  ])('leads to the status 500 for %s', async (_title, config, isOurs, message) => {
    const page = await (await site(config, withMails)).browser.get('/mail');
    expect(page.status).toBe(500);
    expect(page.json()).toMatchObject({ isOurs, message: expect.stringMatching(message) });
  });
});
