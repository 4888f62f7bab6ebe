/** Parameters of the flows. The flows import only Latchkey's packages, by their public names, and no runtime. */
export interface World {
  /** The engine to use: the synchronous one with node:crypto, or the portable one with WebCrypto. */
  readonly engine: 'node' | 'web';
  /** The variables of the environment, as this runtime tells them. */
  readonly env: Record<string, string | undefined>;
  /** Calls during the import of the packages. `undefined` if the runtime forbids them. */
  readonly atImport?: readonly string[];
  /** Tokens that the other runtimes have sealed. Empty in the first round. */
  readonly fromOthers: readonly Sealed[];
}

/** Tokens that one runtime has sealed for the others to open. */
export interface Sealed {
  /** Who has sealed it. */
  readonly by: string;
  /** A token of `encode`. */
  readonly token: string;
  /** The `Cookie` header of a visitor who has signed in. */
  readonly cookies: string;
  /** The CSRF token that belongs to these cookies. */
  readonly csrfToken: string;
}

/** Flows by what they prove. */
export type Cases = Record<string, (world: World) => Promise<void>>;

/** Results of the flows in one runtime. */
export interface Outcome {
  readonly passed: number;
  readonly failures: readonly { readonly name: string; readonly error: string }[];
}

/** Milliseconds after which a flow has failed: a runtime that never answers must not stop the others. */
const PATIENCE = 30_000;

/** Runs the flows one after the other; a failure stops none. */
export async function runCases(cases: Cases, world: World): Promise<Outcome> {
  const failures: { name: string; error: string }[] = [];
  for (const [name, run] of Object.entries(cases)) {
    try {
      await inTime(run(world));
    } catch (error) {
      failures.push({ name, error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
    }
  }
  return { passed: Object.keys(cases).length - failures.length, failures };
}

async function inTime(work: Promise<void>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer after ${PATIENCE / 1000} seconds`)), PATIENCE);
  });
  try {
    await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
