import type { Env } from '@latchkey/core/binding';
import { VERSION } from '@sveltejs/kit';

/**
 * The variables of the environment: those of the process, and above them those that Kit knows, which in development has read the
 * `.env` files.
 *
 * @param given The application's own choice instead of Kit's.
 */
export async function environment(given: Env | undefined): Promise<Env> {
  return { ...processEnv(), ...(given ?? (await kitEnv())) };
}

/** Not every runtime has a process. */
function processEnv(): Env {
  return (globalThis as { process?: { env?: Env } }).process?.env ?? {};
}

/**
 * Kit 2 knows all variables; where it is told to know those that the application declares, the module throws. Kit 3 knows those, and in
 * development complains about the module, so it is not asked where the process says enough.
 */
async function kitEnv(): Promise<Env> {
  if (Number.parseInt(VERSION, 10) >= 3 && processEnv().AUTH_SECRET) return {};
  try {
    return (await import('$env/dynamic/private')).env;
  } catch {
    return {};
  }
}

/** Is Kit prerendering? Its requests then are nobody's; those of a visitor name a host. */
export async function isBuilding({ headers }: Request): Promise<boolean> {
  if (headers.has('host') || headers.has('cookie')) return false;
  return (await import('$app/environment')).building;
}
