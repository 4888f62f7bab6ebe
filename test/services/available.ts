import type { Engine, Fresh, StartOptions } from './engine.ts';
import { recipeFor, ServiceMissing } from './missing.ts';

/** Tells whether a server is available. If not, it prints the reason; under `CI=true` it throws instead. */
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

/** Tells whether tests can start servers of this kind. If not, it does the same as {@link canFind}. */
export function canStart<F extends Fresh, O extends StartOptions>(
  engine: Engine<F, O>,
  env?: NodeJS.ProcessEnv,
): Promise<boolean> {
  return canFind(async () => recipeFor(engine), env);
}
