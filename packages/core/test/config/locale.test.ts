import { application, memoryAdapter } from '@latchkey/testing';
import { describe, expect, it } from 'vitest';
import { localeProblems } from '../../src/config/check-locale.ts';
import de from '../../src/messages/de.ts';
import type { Language, LocaleOptions } from '../../src/types/locale.ts';

const pt: Language = { ...de, code: 'pt-BR' };
const zh: Language = { ...de, code: 'zh-Hans' };
const nb: Language = { ...de, code: 'nb' };
const long = 'x'.repeat(501);

const IMPORT = 'Import one, for example from @latchkey/core/messages/de';

describe('the option `locale`', () => {
  it.each<[string, object]>([
    [`\`locale.choose\` needs \`locale.languages\`. ${IMPORT}`, { choose: 'accept-language' }],
    ['`locale.choose` must be "accept-language" or a function. Correct it, or leave it out', { choose: 'browser' }],
    [`\`locale.languages\` must be a list of languages. ${IMPORT}`, { languages: 'de' }],
    [
      `\`locale.languages[1]\` must be a language with \`code\`, \`dir\` and \`texts\`. ${IMPORT}`,
      { languages: [de, 'ar'] },
    ],
    ['`locale.languages` has the language de more than once. Remove one of them', { languages: [de, de] }],
    ['`locale.texts` must be an object with one member for each language', { texts: ['de'] }],
    [
      '`locale.texts.de` is for a language that `locale.languages` does not have. Add the language, or remove it',
      { texts: { de: {} } },
    ],
    ['`locale.texts.en` must be an object with groups of texts', { texts: { en: 'Hi' } }],
    ['`locale.texts.en.signIn` must be an object with texts', { texts: { en: { signIn: 'Hi' } } }],
    [
      '`locale.texts.de.signIn.titel` is not a text of the pages. Did you mean title?',
      { languages: [de], texts: { de: { signIn: { titel: 'Willkommen' } } } },
    ],
    ['`locale.texts.en.singIn` is not a text of the pages. Did you mean signIn?', { texts: { en: { singIn: {} } } }],
    [
      '`locale.texts.en.signIn.title` must be a text of at most 500 characters',
      { texts: { en: { signIn: { title: long } } } },
    ],
    ['`locale.texts.en.codes.x` must be a text of at most 500 characters', { texts: { en: { codes: { x: 1 } } } }],
    [
      '`locale.texts.en.signIn.title` must not have the placeholder {name}. The text has no placeholders',
      { texts: { en: { signIn: { title: 'Hi {name}' } } } },
    ],
    [
      '`locale.texts.en.signIn.withProvider` must not have the placeholder {name}. Use {provider}',
      { texts: { en: { signIn: { withProvider: 'With {name}' } } } },
    ],
    [
      '`locale.texts.en.sessions.others` must be an object with a text for each plural category, and with `other`',
      { texts: { en: { sessions: { others: 'many' } } } },
    ],
    [
      '`locale.texts.en.sessions.others.other` must not have the placeholder {number}. Use {count}',
      { texts: { en: { sessions: { others: { other: '{number} devices' } } } } },
    ],
  ])('%s', (problem, locale) => {
    const problems = localeProblems(locale).map(({ message }) => message.replace(/\. See @latchkey.*$/, ''));
    expect(problems).toEqual([problem.replace(/\.$/, '')]);
  });

  it('names the groups if no name is similar', () => {
    const [problem] = localeProblems({ texts: { en: { welcome: {} } } });
    expect(problem?.message).toContain('Use one of: common, script, signIn,');
  });

  it('may be right', () => {
    const texts: LocaleOptions['texts'] = {
      en: { signIn: { title: 'Hello' }, sessions: { others: { other: '{count}' } }, codes: { young: 'Too young.' } },
    };
    expect(localeProblems({ languages: [de], choose: () => 'de', texts })).toEqual([]);
  });

  it('refuses pages, and not the reading of sessions, while it is wrong', async () => {
    const app = application({ config: { locale: { choose: 'accept-language' } } });
    expect((await app.browser.get('/auth/session')).status).toBe(200);
    expect(app.log.errors).toEqual([]);
    expect((await app.browser.get('/auth/signin')).status).toBe(500);
    expect(app.log.errors[0]?.message).toContain('`locale.choose` needs `locale.languages`');
  });

  it('refuses pages if it is not an object', async () => {
    const app = application({ config: { locale: 'de' as never } });
    expect((await app.browser.get('/auth/signin')).status).toBe(500);
    expect(app.log.errors.map(({ message }) => message)).toEqual([
      expect.stringContaining('`locale` must be an object, but is of type string'),
    ]);
  });
});

/** Returns the language of a mail that is requested with a header. */
async function languageFor(locale: LocaleOptions | undefined, accepted?: string): Promise<Language | undefined> {
  const app = application({ adapter: memoryAdapter(), config: { locale } });
  const headers = accepted === undefined ? {} : { 'accept-language': accepted };
  const csrfToken = await app.csrfToken();
  await app.browser.post('/auth/signin/mail', { csrfToken, email: 'ada@example.com' }, { headers });
  return app.mails[0]?.language;
}

describe('the language of a request', () => {
  it.each<[header: string | undefined, code: string]>([
    ['de', 'de'],
    ['de-AT,en;q=0.5', 'de'],
    ['DE-at', 'de'],
    ['en;q=0.8, de;q=0.9', 'de'],
    ['en, de', 'en'],
    ['fr, en-GB;q=0.9, de;q=0.8', 'en'],
    ['pt', 'pt-BR'],
    ['pt-PT', 'pt-BR'],
    ['zh-CN', 'zh-Hans'],
    ['zh-TW, de;q=0.1', 'de'],
    ['no', 'nb'],
    ['no-NO', 'nb'],
    ['fr', 'pt-BR'],
    ['*', 'pt-BR'],
    ['de;q=0, en', 'en'],
    ['de;q=x, en;q=0.1', 'en'],
    ['', 'pt-BR'],
    [undefined, 'pt-BR'],
    ['"; <b>, en', 'en'],
    [`${'fr,'.repeat(70)}de`, 'pt-BR'],
  ])('that accepts %j is %s', async (header, code) => {
    const languages = [pt, de, zh, nb];
    expect((await languageFor({ languages, choose: 'accept-language' }, header))?.code).toBe(code);
  });

  it('is English without the option, and the first language without `choose`', async () => {
    expect((await languageFor(undefined, 'de'))?.code).toBe('en');
    expect((await languageFor({ languages: [de, nb] }, 'en'))?.code).toBe('de');
  });

  it('is the one that a function returns, or the first one', async () => {
    const choose = (request: Request): string => request.headers.get('accept-language') ?? '';
    expect((await languageFor({ languages: [de, nb], choose }, 'nb'))?.code).toBe('nb');
    expect((await languageFor({ languages: [de, nb], choose }, 'fr'))?.code).toBe('de');
    const failing = async (): Promise<string> => Promise.reject(new Error('no language'));
    expect((await languageFor({ languages: [de, nb], choose: failing }, 'nb'))?.code).toBe('de');
  });

  it("has the application's texts", async () => {
    const texts = { de: { mail: { subject: 'Hallo {site}' } } };
    const language = await languageFor({ languages: [de], texts });
    expect(language?.texts.mail.subject).toBe('Hallo {site}');
    expect(language?.texts.mail.button).toBe('Anmelden');
  });

  it('has the English text where a language of an older version lacks one', async () => {
    const { mail: _, ...texts } = de.texts;
    const language = await languageFor({ languages: [{ ...de, texts: texts as never }] });
    expect(language?.texts.mail.button).toBe('Sign in');
    expect(language?.texts.signIn.title).toBe('Anmelden');
  });
});
