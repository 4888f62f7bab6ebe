import type { Awaitable, TokenVault } from '@latchkey/core/types';
import type { SuiteRunner } from '../adapter-suite/runner.ts';

/** The token vault under test. */
export interface VaultSubject {
  /** The token vault under test. */
  readonly vault: TokenVault;
  /** The same vault, as another process has it. Default: {@link vault}. */
  readonly elsewhere?: TokenVault | undefined;
  /** Lets this number of seconds pass on the clock of the store. Default: waits. */
  pass?(seconds: number): Awaitable<void>;
  /** Called after the case. */
  close?(): Awaitable<void>;
}

/** Makes the subject of one case. The vault may hold rows of earlier cases: each case uses its own keys. */
export type MakeVault = () => Awaitable<VaultSubject>;

/** The parts of a subject, complete. */
export interface CaseParts {
  readonly elsewhere: TokenVault;
  readonly pass: (seconds: number) => Awaitable<void>;
}

/** Registers a case. */
export type Case = (title: string, body: (vault: TokenVault, parts: CaseParts) => Promise<void>) => void;

/** Returns a function that registers cases; each case makes and closes its own subject. */
export function casesOf(make: MakeVault, runner: SuiteRunner): Case {
  return (title, body) => {
    runner.it(title, async () => {
      const subject = await make();
      const { vault, elsewhere = vault } = subject;
      try {
        await body(vault, { elsewhere, pass: (seconds) => (subject.pass ?? wait)(seconds) });
      } finally {
        await subject.close?.();
      }
    });
  };
}

function wait(seconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, seconds * 1000));
}
