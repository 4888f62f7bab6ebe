import type { RoutedRequest } from '../context.ts';
import { errorOf } from '../errors.ts';
import english, { type Language, type Texts } from '../messages/en.ts';
import { isRecord, type Plain } from '../plain-object.ts';
import { limits } from './defaults.ts';
import type { Settings } from './settings.ts';

/** The members of a request from which its language follows. */
type LanguageRequest = Pick<RoutedRequest, 'settings' | 'incoming' | 'url'>;

/** Returns the language of the pages and mails for a request. English, unless the option `locale` says otherwise. */
export async function languageOf(request: LanguageRequest): Promise<Language> {
  const { locale } = request.settings.config;
  if (!isRecord(locale)) return english;
  const languages = languagesOf(request.settings);
  const code = await chosenCode(request, languages);
  return languages.find((language) => language.code === code) ?? languages[0] ?? english;
}

const known = new WeakMap<Settings, readonly Language[]>();

/** Returns the languages of the configuration with the application's texts. The first one is the default. */
function languagesOf(settings: Settings): readonly Language[] {
  const { languages, texts } = settings.config.locale ?? {};
  const made =
    known.get(settings) ?? withEnglish(languages).map((language) => withTexts(language, texts?.[language.code]));
  known.set(settings, made);
  return made;
}

/** Returns the usable entries of `locale.languages`, with English at the end unless it is there. */
export function withEnglish(languages: unknown): readonly Language[] {
  const usable = Array.isArray(languages) ? languages.filter(isLanguage) : [];
  return usable.some(({ code }) => code === english.code) ? usable : [...usable, english];
}

/** Returns whether a value has the members of a language. Missing texts are replaced by the English ones. */
export function isLanguage(value: unknown): value is Language {
  if (!isRecord(value) || !isRecord(value['texts'])) return false;
  return typeof value['code'] === 'string' && localeOf(value['code']) !== undefined;
}

function withTexts(language: Language, own: unknown): Language {
  const { code, dir } = language;
  const given = isRecord(own) ? own : {};
  const texts = merged(merged(english.texts, language.texts), given);
  return { code, dir: dir === 'rtl' ? 'rtl' : 'ltr', texts, codes: ownCodes(given['codes']) };
}

/** Returns the texts with those of `own`, group by group. Values of wrong types are left out. */
function merged(texts: Texts, own: Readonly<Record<string, unknown>>): Texts {
  const groups = Object.entries(texts).map(([name, group]) => [name, mergedGroup(group, own[name])]);
  return Object.fromEntries(groups);
}

function mergedGroup(group: Plain, own: unknown): Plain {
  if (!isRecord(own)) return group;
  const fitting = Object.entries(own).filter(([key, text]) => Object.hasOwn(group, key) && fits(text, group[key]));
  return { ...group, ...Object.fromEntries(fitting) };
}

/** A text stands for a text, and a text with a count for one of these. */
function fits(text: unknown, replaced: unknown): boolean {
  return isRecord(replaced) ? isRecord(text) && typeof text['other'] === 'string' : typeof text === 'string';
}

function ownCodes(codes: unknown): Record<string, string> {
  const entries = isRecord(codes) ? Object.entries(codes) : [];
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}

async function chosenCode(request: LanguageRequest, languages: readonly Language[]): Promise<string | undefined> {
  const { settings, incoming, url } = request;
  const choose = settings.config.locale?.choose;
  if (choose === 'accept-language') return acceptedLanguage(incoming.header('accept-language') ?? '', languages);
  if (typeof choose !== 'function') return undefined;
  try {
    return await choose(new Request(url, { headers: incoming.headers() }));
  } catch (error) {
    settings.logger.error(errorOf(error));
    return undefined;
  }
}

/**
 * Returns the code of the language that the browser prefers; `undefined` if it accepts none of them. Tags match if
 * language and script are equal: `de-AT` matches `de`, and `zh-TW` does not match `zh-Hans`. Of two such languages, the
 * one of the same region is taken.
 */
function acceptedLanguage(header: string, languages: readonly Language[]): string | undefined {
  for (const { locale } of acceptedLocales(header.slice(0, limits.acceptLanguage))) {
    const matching = languages.filter(({ code }) => {
      const other = localeOf(code);
      return other?.language === locale.language && other?.script === locale.script;
    });
    const ofRegion = matching.find(({ code }) => localeOf(code)?.region === locale.region);
    const match = ofRegion ?? matching[0];
    if (match) return match.code;
  }
  return undefined;
}

interface AcceptedLocale {
  readonly locale: Intl.Locale;
  readonly weight: number;
}

/** Returns the tags of the header, the preferred one first (RFC 9110 §12.5.4). */
function acceptedLocales(header: string): readonly AcceptedLocale[] {
  const accepted = header.split(',').flatMap((entry): AcceptedLocale[] => {
    const [tag = '', ...parameters] = entry.split(';').map((part) => part.trim());
    const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    const weight = quality === undefined ? 1 : Number(quality);
    const locale = localeOf(tag);
    return locale && weight > 0 ? [{ locale, weight }] : [];
  });
  return accepted.sort((one, other) => other.weight - one.weight);
}

/** Returns the locale of a BCP 47 tag with its likely script and region; `undefined` for `*` and other texts. */
function localeOf(tag: string): Intl.Locale | undefined {
  try {
    // `no` is Norwegian of any variety; most of it is `nb`.
    return new Intl.Locale(tag.replace(/^no(?=-|$)/i, 'nb')).maximize();
  } catch {
    return undefined;
  }
}
