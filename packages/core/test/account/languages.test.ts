import { describe, expect, it } from 'vitest';
import de from '../../src/messages/de.ts';
import { changeAddress, changesSite, linkOf, type Site, useMailbox } from './changes-scene.ts';

const ADA = 'ada@example.com';
const NEW = 'ada@new.example';
const mail = useMailbox();
const { account, addWay, undo, addressChangedMail: notice } = de.texts;

/** Makes an application with guided linking, whose visitors read German. */
async function germanSite(): Promise<Site> {
  const config = { locale: { languages: [de] }, linking: 'guided', theme: { name: 'Acme' } } as const;
  const app = changesSite('database', mail, { config });
  await app.signIn();
  return app;
}

/** Expects a page in German with the name of the application. Names and addresses are in elements of their own. */
function expectGerman(html: string, title: string, ...texts: readonly string[]): void {
  expect(html).toContain('<html lang="de" dir="ltr"');
  expect(html).toContain(`<title>${title} · Acme</title>`);
  for (const text of texts) expect(html).toContain(text);
}

describe('the language of the visitor', () => {
  it('is that of the page of the account, also in dates', async () => {
    const app = await germanSite();
    const page = (await app.browser.get('/auth/account?error=LastWayIn')).text();
    const day = new Intl.DateTimeFormat('de', { dateStyle: 'medium', timeZone: 'UTC' }).format(app.clock.now());
    expectGerman(page, account.title, account.LastWayIn, account.ways, account.deleteAbout, `>${day}</time>`);
    expect(page).toContain(account.addProvider.replace('{provider}', '<bdi>Second</bdi>'));
  });

  it('is that of the page that offers an account', async () => {
    const app = await germanSite();
    const offered = await app.signIn({ id: 'second', consent: { user: { sub: 'ada-2', email: ADA } } });
    const page = (await app.browser.follow(offered)).text();
    expectGerman(page, addWay.title, addWay.effect.replaceAll('{provider}', '<bdi>Second</bdi>'), addWay.notNow);
  });

  it('is that of a notice, and of the page that its link opens', async () => {
    const app = await germanSite();
    const sent = await changeAddress(app, mail.box, ADA, NEW);
    expect(sent.subject).toContain('Ihre Adresse bei Acme wurde');
    expect(sent.text).toContain(notice.note);
    expect(sent.text).toMatch(/Das geschah am \d+\. \p{L}+ \d{4} um \d\d:\d\d UTC/u);
    const page = (await app.open(linkOf(sent, 'undo'), app.visitor())).text();
    const from = `<strong><bdi>${ADA}</bdi></strong>`;
    const effect = undo.email.replace('{from}', from).replace('{to}', from.replace(ADA, NEW));
    expectGerman(page, undo.title, effect, undo.note);
  });
});
