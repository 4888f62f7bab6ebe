/**
 * Ends the process with the first signal, and at once: browsers keep connections open, and nothing is worth waiting for.
 *
 * @param close Is given half a second.
 */
export function onEnd(close: () => Promise<void>): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      void close().finally(() => process.exit(0));
      setTimeout(() => process.exit(0), 500);
    });
  }
}
