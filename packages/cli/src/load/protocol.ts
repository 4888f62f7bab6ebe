import type { Results } from '../checks/finding.ts';
import type { Framework } from './frameworks.ts';

/** A question of the parent to the process that has loaded the application. */
export type Question =
  | { readonly do: 'load'; readonly file: string; readonly root: string; readonly framework: Framework }
  | { readonly do: 'check'; readonly offline: boolean; readonly probe: boolean }
  | { readonly do: 'plan' }
  | { readonly do: 'explain'; readonly request: SentRequest }
  | { readonly do: 'apply' };

/** An HTTP request as data. */
export interface SentRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string | null;
}

/** Why a request has no session, or is refused: `Explanation` of core. */
export interface Explained {
  readonly outcome: 'session' | 'no-session' | 'refused' | 'accepted';
  readonly cause?: string;
  readonly text?: string;
  readonly remedy?: string;
  readonly facts: Readonly<Record<string, unknown>>;
  readonly steps: readonly string[];
}

/** The answer: a value, or the reason. */
export type Answer = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly message: string };

/** The facts of a loaded configuration that the parent needs. None is a secret. */
export interface Loaded {
  readonly binding: string;
  readonly basePath: string;
  readonly providers: readonly { readonly id: string; readonly callbackUrl: string | null }[];
  readonly isSecure: boolean;
}

/** The results of the checks that need the configuration. */
export type Checked = Results;

/** The migrations of a store, as texts. */
export interface Planned {
  readonly database: { readonly engine: string; readonly host: string | null; readonly name: string | null };
  readonly steps: readonly { readonly adds: string; readonly sql: string }[];
  readonly duplicates: readonly string[];
}
