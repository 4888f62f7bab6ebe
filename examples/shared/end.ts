/**
 * Ends the process at the first signal. It does not wait for open connections, which browsers keep open.
 *
 * @param close Called before the end. It has half a second.
 */
export function onEnd(close: () => Promise<void>): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      void close().finally(() => process.exit(0));
      setTimeout(() => process.exit(0), 500);
    });
  }
}
