import { AuthError } from '@latchkey/core/errors';
import { type ConfigSource, type Configured, configuredFor } from './config.ts';

/** Reads something of a visit. A failure is logged and means `null`, so that guards refuse the request. */
export async function readOrNull<T>(read: () => Promise<T | null>): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    rethrowNextError(error);
    // An AuthError has been logged already.
    if (!(error instanceof AuthError)) console.error(error);
    return null;
  }
}

/** Reads as {@link readOrNull} does. A configuration function that fails means `null`, too. */
export async function readFrom<T>(
  source: ConfigSource,
  request: unknown,
  read: (configured: Configured) => Promise<T | null>,
): Promise<T | null> {
  try {
    const configured = await configuredFor(source, request);
    return await readOrNull(() => read(configured));
  } catch (error) {
    rethrowNextError(error);
    console.error(error);
    return null;
  }
}

/**
 * Throws the exceptions by which Next leaves functions: a redirect, a page that cannot be rendered at build time. Next
 * marks them with a digest. Its own `unstable_rethrow` is in `next/navigation.js`, which route handlers cannot bundle.
 */
export function rethrowNextError(error: unknown): void {
  if (typeof (error as { digest?: unknown } | null)?.digest === 'string') throw error;
}
