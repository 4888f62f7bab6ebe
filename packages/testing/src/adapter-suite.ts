import type { UserFieldDefinitions } from '@latchkey/core/adapters';
import { managedAccounts, managedPasskeys } from './adapter-suite/account.ts';
import { hostileSessions, hostileText } from './adapter-suite/hostile.ts';
import { optional } from './adapter-suite/optional.ts';
import { casesOf, type MakeSubject, type SuiteRunner, type SuiteSubject } from './adapter-suite/runner.ts';
import { sessions, verificationTokens } from './adapter-suite/sessions.ts';
import { unique, uniqueSessions } from './adapter-suite/unique.ts';
import { userFields } from './adapter-suite/user-fields.ts';
import { accounts, authenticators, deletedAuthenticators, storedAccounts, users } from './adapter-suite/users.ts';

export type { MakeSubject, SuiteRunner, SuiteSubject };

/** Selects the groups of cases. The cases about users, accounts and verification tokens always run. */
export interface AdapterSuiteOptions {
  /** The store refuses a second row with the same key. Default: `true`. */
  unique?: boolean | undefined;
  /** Database sessions. Default: `true`; `false` for adapters that only serve JWT sessions. */
  sessions?: boolean | undefined;
  /** The methods that Latchkey adds to the methods of Auth.js v5, and `getAccount`. Default: `false`. */
  optional?: boolean | undefined;
  /** The four methods about WebAuthn authenticators, and `getAccount`. Default: `false`. */
  authenticators?: boolean | undefined;
  /**
   * The store keeps the members of accounts and passkeys that Auth.js v5 does not have, such as `createdAt`. Default:
   * the value of `optional`.
   */
  details?: boolean | undefined;
  /** The further columns of users that the store under test has; see `UserFieldDefinitions`. Default: none. */
  userFields?: UserFieldDefinitions | undefined;
}

/**
 * Registers the cases that an adapter has to pass. The cases about the methods with which users manage their accounts
 * run if the adapter has the method, also without the option `optional`. Each case makes its own subject and closes it.
 *
 * ```ts
 * import { describe, it } from 'vitest';
 * adapterSuite(() => ({ adapter: MyAdapter(database()) }), { describe, it }, { userFields: { role: 'text' } });
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
  if (options.optional) describe('methods that Latchkey adds', () => optional(it));
  const { optional: isRequired = false, details = isRequired } = options;
  const managed = { isRequired, details, unique: options.unique !== false };
  describe('accounts in the hands of their owners', () => managedAccounts(it, managed));
  if (options.authenticators) {
    describe('authenticators', () => {
      authenticators(it);
      if (options.optional) deletedAuthenticators(it);
      managedPasskeys(it, managed);
    });
  }
  const { userFields: definitions } = options;
  if (definitions) {
    const methods = { sessions: options.sessions !== false, optional: options.optional === true };
    describe('further columns of users', () => userFields(it, definitions, methods));
  }
}
