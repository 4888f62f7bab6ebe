import { AuthError } from '../errors.ts';
import english, { type Language } from '../messages/en.ts';
import { isRecord } from '../plain-object.ts';
import { limits } from './defaults.ts';
import { isLanguage, withEnglish } from './language.ts';

/** Returns the problems of the option `locale`. It is loaded only if the option is set. */
export function localeProblems(locale: unknown): readonly AuthError[] {
  if (!isRecord(locale)) return []; // The check of types reports it.
  const { languages, choose, texts } = locale;
  const problems = [...languageProblems(languages), ...chooseProblems(choose, languages)];
  return [...problems, ...textProblems(texts, withEnglish(languages))].map((words) => new AuthError(words));
}

const IMPORT = 'Import one, for example from @latchkey/core/messages/de';

function languageProblems(languages: unknown): readonly string[] {
  if (languages === undefined) return [];
  if (!Array.isArray(languages)) return [`\`locale.languages\` must be a list of languages. ${IMPORT}`];
  const wrong = languages.flatMap((language, index) =>
    isLanguage(language)
      ? []
      : [`\`locale.languages[${index}]\` must be a language with \`code\`, \`dir\` and \`texts\`. ${IMPORT}`],
  );
  const codes = languages.filter(isLanguage).map(({ code }) => code);
  const repeated = codes.filter((code, index) => codes.indexOf(code) !== index);
  return [
    ...wrong,
    ...repeated.map((code) => `\`locale.languages\` has the language ${code} more than once. Remove one of them`),
  ];
}

function chooseProblems(choose: unknown, languages: unknown): readonly string[] {
  if (choose === undefined) return [];
  if (choose !== 'accept-language' && typeof choose !== 'function') {
    return ['`locale.choose` must be "accept-language" or a function. Correct it, or leave it out'];
  }
  return languages === undefined ? [`\`locale.choose\` needs \`locale.languages\`. ${IMPORT}`] : [];
}

function textProblems(texts: unknown, languages: readonly Language[]): readonly string[] {
  if (texts === undefined) return [];
  if (!isRecord(texts)) return ['`locale.texts` must be an object with one member for each language'];
  return Object.entries(texts).flatMap(([code, own]) => {
    const path = `locale.texts.${code}`;
    if (!languages.some((language) => language.code === code)) {
      return [`\`${path}\` is for a language that \`locale.languages\` does not have. Add the language, or remove it`];
    }
    return isRecord(own) ? ownTextProblems(path, own) : [`\`${path}\` must be an object with groups of texts`];
  });
}

const groups: Readonly<Record<string, Readonly<Record<string, unknown>>>> = english.texts;

function ownTextProblems(path: string, own: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.entries(own).flatMap(([name, group]) => {
    const texts = groups[name];
    if (name !== 'codes' && !texts) return [unknown(`${path}.${name}`, name, [...Object.keys(groups), 'codes'])];
    if (!isRecord(group)) return [`\`${path}.${name}\` must be an object with texts`];
    return Object.entries(group).flatMap(([key, text]) => {
      const place = `${path}.${name}.${key}`;
      if (!texts) return lengthProblems(place, text);
      if (!Object.hasOwn(texts, key)) return [unknown(place, key, Object.keys(texts))];
      return ownTextProblem(place, text, texts[key]);
    });
  });
}

function unknown(place: string, name: string, names: readonly string[]): string {
  const meant = closest(name, names);
  const hint = meant === undefined ? `Use one of: ${names.join(', ')}` : `Did you mean ${meant}?`;
  return `\`${place}\` is not a text of the pages. ${hint}`;
}

/** A text stands for a text, and an object with a text for each plural category for one of these. */
function ownTextProblem(place: string, own: unknown, replaced: unknown): readonly string[] {
  if (!isRecord(replaced)) return [...lengthProblems(place, own), ...placeholderProblems(place, own, [replaced])];
  if (!isRecord(own) || typeof own['other'] !== 'string') {
    return [`\`${place}\` must be an object with a text for each plural category, and with \`other\``];
  }
  return Object.entries(own).flatMap(([category, text]) => [
    ...lengthProblems(`${place}.${category}`, text),
    ...placeholderProblems(`${place}.${category}`, text, Object.values(replaced)),
  ]);
}

function lengthProblems(place: string, text: unknown): readonly string[] {
  if (typeof text === 'string' && text.length <= limits.ownText) return [];
  return [`\`${place}\` must be a text of at most ${limits.ownText} characters`];
}

function placeholderProblems(place: string, text: unknown, replaced: readonly unknown[]): readonly string[] {
  const known = replaced.flatMap(placeholders);
  const wrong = placeholders(text).filter((name) => !known.includes(name));
  const hint = known.length === 0 ? 'The text has no placeholders' : `Use {${[...new Set(known)].join('}, {')}}`;
  return wrong.map((name) => `\`${place}\` must not have the placeholder {${name}}. ${hint}`);
}

function placeholders(text: unknown): readonly string[] {
  return typeof text === 'string' ? [...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name) : [];
}

/** Returns the name that differs least, if it differs little enough to be meant. */
function closest(name: string, names: readonly string[]): string | undefined {
  const distances = names.map((other) => ({ other, distance: distance(name.toLowerCase(), other.toLowerCase()) }));
  const [best] = distances.sort((one, two) => one.distance - two.distance);
  return best && best.distance <= Math.max(2, best.other.length / 3) ? best.other : undefined;
}

/** Returns how many characters must be added, removed or replaced (Levenshtein distance). */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [index, character] of [...one].entries()) {
    const next = [index + 1];
    for (let place = 1; place <= other.length; place++) {
      const replaced = (row[place - 1] ?? 0) + (other[place - 1] === character ? 0 : 1);
      next.push(Math.min((row[place] ?? 0) + 1, (next[place - 1] ?? 0) + 1, replaced));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}
