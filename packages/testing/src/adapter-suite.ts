import { accounts, storedAccounts } from './adapter-suite/accounts.ts';
import { authenticators } from './adapter-suite/authenticators.ts';
import { hostileSessions, hostileText } from './adapter-suite/hostile.ts';
import { optional } from './adapter-suite/optional.ts';
import { casesOf, type MakeSubject, type SuiteRunner, type SuiteSubject } from './adapter-suite/runner.ts';
import { sessions } from './adapter-suite/sessions.ts';
import { unique, uniqueSessions } from './adapter-suite/unique.ts';
import { users } from './adapter-suite/users.ts';
import { verificationTokens } from './adapter-suite/verification-tokens.ts';

export type { MakeSubject, SuiteRunner, SuiteSubject };

/** Which groups of cases an adapter has to stand, beyond what every application needs. */
export interface AdapterSuiteOptions {
  /** The store refuses a second row of one key. Default: `true`. */
  unique?: boolean | undefined;
  /** Database sessions. Default: `true`; `false` for adapters that serve JWT sessions alone. */
  sessions?: boolean | undefined;
  /** The methods that Latchkey adds to the contract, and `getAccount`. Default: `false`. */
  optional?: boolean | undefined;
  /** The four methods about WebAuthn authenticators, and `getAccount`. Default: `false`. */
  authenticators?: boolean | undefined;
}

/**
 * Registers the cases that an adapter has to stand. Each makes its own subject and closes it.
 *
 * ```ts
 * import { describe, it } from 'vitest';
 * adapterSuite(() => ({ adapter: MyAdapter(database()) }), { describe, it });
 * ```
 */
export function adapterSuite(make: MakeSubject, runner: SuiteRunner, options: AdapterSuiteOptions = {}): void {
  const it = casesOf(make, runner);
  const { describe } = runner;
  describe('users', () => users(it));
  describe('accounts', () => accounts(it));
  describe('verification tokens', () => verificationTokens(it));
  describe('hostile text', () => hostileText(it));
  if (options.unique !== false) describe('unique rows', () => unique(it));
  if (options.sessions !== false) {
    describe('sessions', () => {
      sessions(it);
      hostileSessions(it);
      if (options.unique !== false) uniqueSessions(it);
    });
  }
  if (options.optional || options.authenticators) describe('stored accounts', () => storedAccounts(it));
  if (options.optional) describe('methods beyond the contract', () => optional(it));
  if (options.authenticators) describe('authenticators', () => authenticators(it));
}
