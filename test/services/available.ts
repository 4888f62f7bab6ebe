import type { Engine, Fresh, StartOptions } from './engine.ts';
import { ServiceMissing } from './missing.ts';
import { recipeFor } from './programs.ts';

/** Whether a server is there. Without one: says so and gives `false`, or throws under `CI=true`. */
export async function canFind(server: () => Promise<unknown>, env: NodeJS.ProcessEnv = process.env): Promise<boolean> {
  try {
    await server();
    return true;
  } catch (error) {
    if (!(error instanceof ServiceMissing) || env['CI'] === 'true') throw error;
    console.log(`latchkey: tests are skipped: ${error.message}`);
    return false;
  }
}

/** Whether servers of this kind can be started, as {@link canFind}. */
export function canStart<F extends Fresh, O extends StartOptions>(
  engine: Engine<F, O>,
  env?: NodeJS.ProcessEnv,
): Promise<boolean> {
  return canFind(() => recipeFor(engine), env);
}
