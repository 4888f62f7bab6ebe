import type { CountText, Language, Texts } from '../messages/en.ts';
import type { Awaitable } from './user.ts';

export type { CountText, Language, Texts } from '../messages/en.ts';

/** Texts of the application that replace texts of a language. Groups and keys have the names of {@link Texts}. */
export type OwnTexts = {
  readonly [G in keyof Texts]?: { readonly [K in keyof Texts[G]]?: Texts[G][K] extends CountText ? CountText : string };
} & {
  /** Texts for the codes of the application's own `CredentialsSignin` errors. Default: the page shows the code. */
  readonly codes?: Readonly<Record<string, string>>;
};

/**
 * Languages and texts of the built-in pages and of mails.
 *
 * ```ts
 * import ar from '@latchkey/core/messages/ar';
 * import de from '@latchkey/core/messages/de';
 *
 * locale: {
 *   languages: [de, ar],
 *   choose: 'accept-language',
 *   texts: { de: { signIn: { title: 'Willkommen' } } },
 * }
 * ```
 */
export interface LocaleOptions {
  /** The languages beside English. The first one is the default language. Default: English only. */
  languages?: readonly Language[] | undefined;
  /**
   * How the language of a request is chosen. `'accept-language'`: by the languages that the browser accepts (RFC 9110
   * §12.5.4). A function returns the code of a language; for an unknown code and `undefined` the page has the first
   * language. Default: always the first language.
   */
  choose?: 'accept-language' | ((request: Request) => Awaitable<string | undefined>) | undefined;
  /**
   * Texts of the application, by the code of the language. A text has at most 500 characters, and the placeholders of
   * the text that it replaces. Default: the texts of the languages.
   */
  texts?: Readonly<Record<string, OwnTexts>> | undefined;
}
