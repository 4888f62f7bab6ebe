import type { MailRequester } from '../types/provider.ts';

/** Browsers by a token of their `User-Agent`. The first match counts: most browsers also name Chrome and Safari. */
const BROWSERS: readonly (readonly [token: RegExp, name: string])[] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\b(?:OPR|OPiOS|Opera)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bVersion\/[\d.]+ .*\bSafari\//, 'Safari'],
];

/** Systems by a token of the `User-Agent`. The first match counts: Android also names Linux, iPhones also Mac OS X. */
const SYSTEMS: readonly (readonly [token: RegExp, name: string])[] = [
  [/\bAndroid\b/, 'Android'],
  [/\b(?:iPhone|iPod)\b/, 'iOS'],
  [/\biPad\b/, 'iPadOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];

/** Characters of the header that are read. */
const LONGEST_AGENT = 512;

/**
 * Returns the names of browser and system in a `User-Agent` header (RFC 9110 §10.1.5). The header can contain any text,
 * so only names of a fixed list are returned.
 */
export function readAgent(header: string | undefined): Omit<MailRequester, 'at'> {
  const agent = (header ?? '').slice(0, LONGEST_AGENT);
  const nameIn = (list: typeof BROWSERS): string | undefined => list.find(([token]) => token.test(agent))?.[1];
  return { browser: nameIn(BROWSERS), system: nameIn(SYSTEMS) };
}

/** Writes the parameter `asked` of a link: the seconds since 1970 and the names, as in `1795470000.Chrome.Windows`. */
export function writeAsked({ at, browser = '', system = '' }: MailRequester): string {
  return `${Math.floor(at.getTime() / 1000)}.${browser}.${system}`;
}

/**
 * Reads the parameter `asked` of a link. It is not authenticated: a visitor chooses the User-Agent anyway.
 *
 * @returns `undefined` if it does not have the form of {@link writeAsked}. Unknown names are left out.
 */
export function readAsked(asked: unknown): MailRequester | undefined {
  const [, seconds, browser, system] = /^(\d{1,11})\.([\w ]{0,32})\.([\w ]{0,32})$/.exec(String(asked)) ?? [];
  if (seconds === undefined) return undefined;
  const known = (list: typeof BROWSERS, name: string | undefined): string | undefined =>
    list.find(([, listed]) => listed === name)?.[1];
  return { at: new Date(Number(seconds) * 1000), browser: known(BROWSERS, browser), system: known(SYSTEMS, system) };
}
