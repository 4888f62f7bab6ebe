import { type Browser, memoryAdapter, type Page } from '@latchkey/testing';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { config, play } from './kit/scene.ts';
import { app, type Kit, shown, startKit } from './kit/server.ts';

let kit: Kit;
beforeAll(async () => {
  kit = await startKit(app);
});

const email = 'ada@example.com';
const codes: string[] = [];
beforeEach(() => {
  codes.length = 0;
  play(
    config({
      adapter: memoryAdapter(),
      session: { strategy: 'jwt' },
      pages: { verifyRequest: '/shop/check-mail' },
      providers: [
        {
          id: 'mail',
          name: 'Mail',
          type: 'email',
          code: true,
          sendVerificationRequest: ({ code }) => void codes.push(String(code)),
        },
      ],
    }),
  );
});

const page = '/shop/check-mail?provider=mail&type=email&code=1';

/** Requests a mail, and goes where Kit leads. */
async function asked(): Promise<{ browser: Browser; sent: Page }> {
  const browser = kit.browser();
  const reply = await browser.post('/shop/signin?/plain', { providerId: 'mail', email, redirectTo: '/shop/private' });
  return { browser, sent: await browser.follow(reply, { until: 'page' }) };
}

const enter = async (browser: Browser, on: Page, code: string): Promise<Page> =>
  browser.follow(
    await browser.submit(
      browser.form(on, ({ id }) => id === 'code'),
      { code },
    ),
    { until: 'page' },
  );

const pathOf = ({ url }: Page): string => url.slice('http://localhost:3000'.length);

describe('the application’s own page after the request for a mail', () => {
  it('shows the mail and signs in by its code, without scripts', async () => {
    const { browser, sent } = await asked();
    expect(pathOf(sent)).toBe(page);
    const time = expect.stringMatching(/^\d{4}-.*Z$/);
    const mail = { email, code: true, sentAt: time, resendAt: time, expires: time };
    expect(shown(sent)).toEqual({ mail, error: null });

    const refused = await enter(browser, sent, 'wrong');
    expect(pathOf(refused)).toBe(`${page}&error=Verification`);
    expect(shown(refused)).toEqual({ mail, error: 'Verification' });

    const done = await enter(browser, refused, codes[0] ?? expect.unreachable());
    expect(pathOf(done)).toBe('/shop/private');
    expect(shown(done)).toMatchObject({ session: { user: { email } } });
    expect(shown(await browser.get('/shop/check-mail'))).toEqual({ mail: null, error: null });
  });

  it('has a form that sends the mail again', async () => {
    const { browser, sent } = await asked();
    const again = await browser.submit(browser.form(sent, ({ id }) => id === 'again'));
    expect(pathOf(await browser.follow(again, { until: 'page' }))).toBe(page);
  });

  it('is kept out of shared caches, because it names the address', async () => {
    const { sent } = await asked();
    expect(sent.headers.get('cache-control')).toBe('private, no-store');
  });
});
