import { AuthError } from '../errors.ts';
import type { Warning } from '../log/logger.ts';
import { isRecord, type Plain } from '../plain-object.ts';
import type { AuthConfig } from '../types/config.ts';
import { cookieTable } from '../wire/cookie-table.ts';
import { limits } from './defaults.ts';

const DAY = 86_400_000; // milliseconds

const UNTIL_PASSED: Warning = {
  code: 'legacy-until-passed',
  words: 'a reader of `legacy` is not used any more, because its `until` has passed. Remove it.',
};

/** Checks the option `legacy`. Readers of the application's own may have any members. */
export function checkLegacy(config: AuthConfig): (AuthError | Warning)[] {
  const readers: readonly unknown[] = config.legacy ?? [];
  const now = Date.now();
  return [
    ...(readers.length > limits.legacyReaders ? [tooMany(readers.length)] : []),
    ...readers.flatMap((reader, index) => readerFindings(reader, `\`legacy[${index}]\``, now)),
    ...cookieProblems(config, readers.filter(isRecord)),
  ];
}

function tooMany(count: number): AuthError {
  return new AuthError(
    `\`legacy\` must have at most ${limits.legacyReaders} readers, but has ${count}. Remove those that no visitor needs`,
  );
}

function readerFindings(reader: unknown, place: string, now: number): (AuthError | Warning)[] {
  if (!isReader(reader)) {
    return [
      new AuthError(
        `${place} must be a reader: an object with \`name\`, \`cookies\`, \`until\` and \`read\`. Use one of @latchkey/migrate`,
      ),
    ];
  }
  const title = `${place} (${String(reader['name'])})`;
  const own = Array.isArray(reader['problems']) ? reader['problems'] : [];
  return [...own.map((words) => new AuthError(`${title}: ${words}`)), ...untilFindings(reader['until'], title, now)];
}

function isReader(reader: unknown): reader is Plain {
  if (!isRecord(reader)) return false;
  const { name, cookies, read } = reader;
  const isNamed =
    Array.isArray(cookies) && cookies.length > 0 && cookies.every((one) => one && typeof one === 'string');
  return typeof name === 'string' && isNamed && typeof read === 'function';
}

function untilFindings(until: unknown, title: string, now: number): (AuthError | Warning)[] {
  const instant = until instanceof Date || typeof until === 'string' ? new Date(until).getTime() : Number.NaN;
  if (Number.isNaN(instant)) {
    return [
      new AuthError(`${title}: \`until\` must be a date, for example '2027-06-30'. Set the last day of the move`),
    ];
  }
  if (instant - now > limits.legacyDays * DAY) {
    return [
      new AuthError(
        `${title}: \`until\` is ${new Date(instant).toISOString()}, but must be at most ${limits.legacyDays} days ahead. Choose an earlier date`,
      ),
    ];
  }
  return instant < now ? [UNTIL_PASSED] : [];
}

function cookieProblems({ cookies }: AuthConfig, readers: readonly Plain[]): AuthError[] {
  const own = new Set([true, false].map((secure) => cookieTable(secure, cookies).sessionToken.name));
  const names = readers.flatMap(({ cookies: list }) => (Array.isArray(list) ? [...new Set(list.map(String))] : []));
  const repeated = [...new Set(names.filter((name, index) => names.indexOf(name) !== index))];
  return [
    ...repeated.map(
      (name) => new AuthError(`\`legacy\`: two readers have the cookie "${name}". Keep one of them, or set \`cookie\``),
    ),
    ...[...new Set(names)]
      .filter((name) => own.has(name))
      .map(
        (name) =>
          new AuthError(
            `\`legacy\`: a reader has the cookie "${name}", which is the session cookie of Latchkey. Set \`cookies.sessionToken.name\` to another name`,
          ),
      ),
  ];
}
