import type { SuiteRunner } from './adapter-suite/runner.ts';
import { cleanup } from './token-vault-suite/cleanup.ts';
import { leases } from './token-vault-suite/leases.ts';
import { read } from './token-vault-suite/read.ts';
import { scan } from './token-vault-suite/scan.ts';
import { casesOf, type MakeVault, type VaultSubject } from './token-vault-suite/subject.ts';
import { text } from './token-vault-suite/text.ts';
import { write } from './token-vault-suite/write.ts';

export type { MakeVault, SuiteRunner, VaultSubject };

/** Selects the groups of cases. */
export interface TokenVaultSuiteOptions {
  /** The vault has the method `cleanup`. Default: `true`; `false` for stores whose rows expire by themselves. */
  cleanup?: boolean | undefined;
  /** The vault has the method `scan`. Default: `true`. */
  scan?: boolean | undefined;
}

/**
 * Registers the cases that a token vault has to pass. Each case makes its own subject and closes it.
 *
 * ```ts
 * import { describe, it } from 'vitest';
 * tokenVaultSuite(() => ({ vault: MyVault(database()) }), { describe, it });
 * ```
 */
export function tokenVaultSuite(make: MakeVault, runner: SuiteRunner, options: TokenVaultSuiteOptions = {}): void {
  const it = casesOf(make, runner);
  const { describe } = runner;
  describe('read and find', () => read(it));
  describe('write and remove', () => write(it));
  describe('lease', () => leases(it));
  describe('text', () => text(it));
  if (options.scan !== false) describe('scan', () => scan(it));
  if (options.cleanup !== false) describe('cleanup', () => cleanup(it));
}
