import { type MemoryAdapter, memoryAdapter, type Page } from '@latchkey/testing';
import { type Mailbox, startMailbox } from '@latchkey/testing/mailbox';
import type { OidcProvider } from '@latchkey/testing/oidc-provider';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import Nodemailer from '../../src/providers/nodemailer.ts';
import { type App, application, idp, origin, startProvider } from './scene.ts';

let first: OidcProvider;
let second: OidcProvider;
let mailbox: Mailbox;
beforeAll(async () => {
  first = await startProvider();
  second = await startProvider({ redirect_uris: [`${origin}/auth/callback/second`] });
  mailbox = await startMailbox();
});
afterAll(() => Promise.all([first.close(), second.close(), mailbox.close()]));

const address = 'ada@example.com';

/** Ada has an account at the first provider. She is signed out, and signs in at the second provider. */
async function offered(strategy: 'jwt' | 'database'): Promise<{ app: App; adapter: MemoryAdapter; page: Page }> {
  const adapter = memoryAdapter();
  const app = application(idp(first.issuer), {
    config: {
      adapter,
      providers: [
        idp(first.issuer),
        idp(second.issuer, { id: 'second', name: 'Second' }),
        Nodemailer({ server: mailbox.server, from: 'sign-in@example.com' }),
      ],
      session: { strategy },
      linking: 'guided',
    },
  });
  await app.signIn();
  await app.browser.post('/auth/signout', { csrfToken: await app.csrfToken() });
  const form = app.browser.form(await app.browser.get('/auth/signin?callbackUrl=/inside'), 'signin/second');
  const back = await app.comeBack(await app.consent(await app.browser.submit(form)));
  return { app, adapter, page: await app.browser.follow(back) };
}

function accountsOf(adapter: MemoryAdapter): string[] {
  return adapter.dump().accounts.map(({ provider, providerAccountId }) => `${provider}:${providerAccountId}`);
}

describe.each(['jwt', 'database'] as const)('an account at a second real provider, with %s sessions', (strategy) => {
  it('is added after a sign-in by a real mail: three clicks from the offer on', async () => {
    const { app, adapter, page } = await offered(strategy);
    const { browser } = app;
    expect(page.url).toContain('reason=offer');
    expect(accountsOf(adapter)).toEqual(['idp:user-ada']);
    // One: the visitor asks for a mail.
    await browser.submit(browser.form(page, 'signin/nodemailer'), { email: address });
    const mail = await mailbox.waitFor(address);
    // Two: the link in the mail.
    const signedIn = await browser.get(mail.links.find((link) => link.includes('/callback/')) ?? '', {
      site: 'cross-site',
    });
    const question = await browser.follow(signedIn);
    expect(question.text()).toContain(
      'Add <bdi>Second</bdi> (<bdi>ada@example.com</bdi>) to <bdi>ada@example.com</bdi>?',
    );
    // Three: "Add Second". The provider knows the visitor, and asks nothing.
    const started = await browser.submit(browser.form(question));
    const pages = browser.history.length;
    const done = await app.comeBack(await app.consent(started));
    expect(browser.history.slice(pages).filter(({ redirect }) => !redirect)).toEqual([]);
    expect(done.location).toBe(`${origin}/inside`);
    expect(accountsOf(adapter)).toEqual(['idp:user-ada', 'second:user-ada']);
    expect(adapter.dump().users).toHaveLength(1);
    expect(await app.session()).toMatchObject({ user: { email: address } });
    expect(app.log).toEqual([]);
    expect(browser.rejected).toEqual([]);
  });

  it('is added after a sign-in at the first provider', async () => {
    const { app, adapter, page } = await offered(strategy);
    const { browser } = app;
    const signedIn = await app.comeBack(await app.consent(await browser.submit(browser.form(page, 'signin/idp'))));
    const question = await browser.follow(signedIn);
    await app.comeBack(await app.consent(await browser.submit(browser.form(question))));
    expect(accountsOf(adapter)).toEqual(['idp:user-ada', 'second:user-ada']);
  });
});
