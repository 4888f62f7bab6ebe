import type { SuiteRunner } from '@latchkey/testing/adapter-suite';
import { describe, expect, it } from 'vitest';
import type { DialectName } from '../../src/dialect.ts';

/** Cases about text that a dialect refuses as a key. They have to fail, and by a clear error. */
const REFUSED: Readonly<Record<DialectName, ReadonlySet<string>>> = {
  sqlite: new Set(),
  postgres: new Set(),
  // The collation takes text for the same with spaces at its end and without them.
  mysql: new Set(['keeps spaces in an account', 'keeps spaces in a verification token']),
};

/** A runner that expects a refusal where the dialect has to refuse. */
export function mayRefuse(dialect: DialectName): SuiteRunner {
  return {
    describe,
    it: (title, body) =>
      REFUSED[dialect].has(title)
        ? it(title.replace('keeps', 'refuses'), () =>
            expect(body()).rejects.toThrow(/^(accounts\.provider|verificationToken\.token) must be text that/),
          )
        : it(title, body),
  };
}
