import type { CountText, Language } from '../messages/en.ts';
import { type Html, type HtmlValue, html } from './html.ts';

/** Values for the placeholders of a text. */
export type TextValues = Readonly<Record<string, string | number>>;

/**
 * Returns a text with its placeholders replaced. A placeholder without a value stays.
 *
 * @example fill('Sign in with {provider}', { provider: 'GitHub' }); // 'Sign in with GitHub'
 */
export function fill(text: string, values: TextValues): string {
  return text.replace(PLACEHOLDER, (whole, name: string) => String(Object.hasOwn(values, name) ? values[name] : whole));
}

/** A placeholder. The group is its name. */
const PLACEHOLDER = /\{(\w+)\}/g;

/**
 * Returns a text as HTML, with its placeholders replaced by fragments of HTML.
 *
 * @example phrase('You are signed in as {user}.', { user: html`<strong>${name}</strong>` });
 */
export function phrase(text: string, values: Readonly<Record<string, HtmlValue>>): Html {
  const pieces = text.split(PLACEHOLDER);
  return html`${pieces.map((piece, index) => (index % 2 === 0 ? piece : own(values, piece)))}`;
}

/** Returns a name or an address. Its direction does not change the text around it. */
export function isolated(text: string): Html {
  return html`<bdi>${text}</bdi>`;
}

function own(values: Readonly<Record<string, HtmlValue>>, name: string): HtmlValue {
  return Object.hasOwn(values, name) ? values[name] : `{${name}}`;
}

/**
 * Returns a text with a count, in the plural category that the language has for it. `{count}` becomes the number in the
 * digits of the language.
 */
export function counted(language: Language, text: CountText, count: number): string {
  const category = new Intl.PluralRules(language.code).select(count);
  return fill(text[category] ?? text.other, { count: new Intl.NumberFormat(language.code).format(count) });
}

const UNITS: readonly (readonly [seconds: number, unit: 'day' | 'hour' | 'minute'])[] = [
  [86_400, 'day'],
  [3600, 'hour'],
  [60, 'minute'],
];

/**
 * Returns a duration, rounded down, in the largest unit that gives at least 2: "24 hours". The spaces do not break.
 *
 * @param seconds At least 0.
 */
export function duration({ code }: Language, seconds: number): string {
  const { count, unit } = inUnits(seconds, Math.floor);
  return unbroken(new Intl.NumberFormat(code, { style: 'unit', unit, unitDisplay: 'long' }).format(count));
}

/** Returns a time in the future, rounded up so that it is never too early: "in 3 minutes". The spaces do not break. */
export function fromNow({ code }: Language, seconds: number): string {
  const { count, unit } = inUnits(seconds, Math.ceil);
  return unbroken(new Intl.RelativeTimeFormat(code).format(count, unit));
}

/** Returns a time in the past, rounded down: "3 minutes ago". The spaces do not break. */
export function ago({ code }: Language, seconds: number): string {
  const { count, unit } = inUnits(Math.max(0, seconds), Math.floor);
  return unbroken(new Intl.RelativeTimeFormat(code).format(-count, unit));
}

/** Returns date and time in UTC, because the reader's time zone is not known: "1 March 2026 at 09:05 UTC". */
export function dateTime({ code }: Language, date: Date): string {
  const style = { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' } as const;
  return `${new Intl.DateTimeFormat(dateLocale(code), style).format(date)} UTC`;
}

/** Returns the day in UTC: "1 Mar 2026". */
export function dayOf({ code }: Language, date: Date): string {
  return new Intl.DateTimeFormat(dateLocale(code), { dateStyle: 'medium', timeZone: 'UTC' }).format(date);
}

/** In English, the day first, and 24 hours, as readers outside the United States expect. */
function dateLocale(code: string): string {
  return code === 'en' ? 'en-GB' : code;
}

function inUnits(seconds: number, round: (count: number) => number): { count: number; unit: Unit } {
  const [size, unit] = UNITS.find(([length]) => seconds >= 2 * length) ?? [1, 'second' as const];
  return { count: round(seconds / size), unit };
}

type Unit = 'day' | 'hour' | 'minute' | 'second';

function unbroken(text: string): string {
  return text.replaceAll(' ', '\u00A0');
}
