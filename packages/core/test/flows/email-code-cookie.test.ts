import { describe, expect, it } from 'vitest';
import { sealCookie } from '../../src/wire/sealed-cookie.ts';
import { oneDoor } from './doors.ts';
import { address, again, codeScene, mailCookie } from './email-code-scene.ts';
import type { MailScene } from './email-scene.ts';
import { SECRET } from './scene.ts';

/** Gives the browser the cookie of a mail with these contents. */
async function plant(app: MailScene, contents: Record<string, unknown>): Promise<void> {
  const now = app.clock.now();
  const times = { sentAt: now.getTime(), expires: now.getTime() + 900_000 };
  const mail = { provider: 'mail', identifier: address, token: 't'.repeat(64), code: '12345678', ...times };
  const sealing = { secrets: [SECRET], maxAge: 900, now };
  const { name, value } = await sealCookie({ name: 'authjs.mail', options: {} }, { ...mail, ...contents }, sealing);
  app.browser.cookies.set(name, value);
}

describe.each(oneDoor)('the cookie of a mail through $name', (door) => {
  const withCode = codeScene(door);

  it.each([
    ['no provider', { provider: undefined }],
    ['a number as the address', { identifier: 7 }],
    ['text as the time of the mail', { sentAt: '7' }],
    ['text as the expiry', { expires: '7' }],
    ['a sign-in that waits in no browser', { resume: { provider: 'mail' } }],
    ['a sign-in that waits in another browser', { resume: { provider: 'mail' }, browser: 'other' }],
  ])('is ignored with %s, which another version may have written', async (_, contents) => {
    for (const hasToken of [false, true]) {
      const app = withCode();
      if (hasToken) await app.browser.get('/auth/csrf');
      await plant(app, contents);
      expect((await app.browser.get('/auth/code')).json()).toBeNull();
    }
  });

  it.each([
    ['all that it needs', {}, { code: true }],
    ['a number as the code', { code: 12_345_678 }, { code: false }],
    ['text that says that the address is masked', { isMasked: 'no' }, { email: address }],
    ['text as the sign-in that waits', { resume: 'fake' }, { code: true }],
    ['a sign-in that waits for no provider', { resume: { provider: 7 } }, { code: true }],
  ])('is read with %s', async (_, contents, status) => {
    const app = withCode();
    await plant(app, contents);
    expect((await app.browser.get('/auth/code')).json()).toMatchObject(status);
  });

  it.each([
    [60, 60],
    [86_400, 900],
  ])('stays %i seconds, as its option `maxAge` says, but not longer than its link: %i', async (maxAge, seconds) => {
    const app = withCode({ cookies: { mail: { options: { maxAge } } } });
    await app.ask(address);
    expect(mailCookie(app)?.expires).toEqual(new Date(app.clock.now().getTime() + seconds * 1000));
  });

  it('stays until its link expires, also if the mail is sent again at a fraction of a second', async () => {
    const app = withCode();
    await app.ask(address);
    app.clock.advance(60.4);
    await again(app);
    const { expires } = mailCookie(app) ?? expect.unreachable();
    expect(expires?.getTime()).toBeGreaterThanOrEqual(app.sent[1]?.expires.getTime() ?? 0);
  });
});
