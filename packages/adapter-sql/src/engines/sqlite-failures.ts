import { type Failures, membersOf } from './failures.ts';

const UNIQUE: ReadonlySet<unknown> = new Set([2067, 'SQLITE_CONSTRAINT_UNIQUE', 1555, 'SQLITE_CONSTRAINT_PRIMARYKEY']);

/**
 * SQLite's errors. `node:sqlite` tells the extended result code as a number, `better-sqlite3` by name, and libSQL's client
 * either way; from a server, libSQL may tell the plain code only.
 */
export const sqliteFailures: Failures = {
  isLost: (error) =>
    codesOf(error).some((code) =>
      typeof code === 'number' ? (code & 0xff) === 5 : typeof code === 'string' && /^SQLITE_BUSY/.test(code),
    ),
  violated(error) {
    // "UNIQUE constraint failed: auth_users.email": names, and no values.
    const named = /UNIQUE constraint failed: (.*)/.exec(String(membersOf(error)['message']))?.[1];
    const codes = codesOf(error);
    if (codes.some((code) => UNIQUE.has(code))) return named ?? 'unnamed';
    return named !== undefined && codes.includes('SQLITE_CONSTRAINT') ? named : null;
  },
};

function codesOf(error: unknown): unknown[] {
  const { errcode, code, extendedCode, rawCode } = membersOf(error);
  return [errcode, code, extendedCode, rawCode];
}
