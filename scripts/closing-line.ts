import { writeSync } from 'node:fs';
import type { Reporter, SerializedError, TestModule } from 'vitest/node';

/** Prints `N passed, N failed, N skipped` as the very last line, for people and for programs. */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const count = { passed: 0, failed: unhandled.length, skipped: 0 };
    for (const module of modules) {
      const failedBefore = count.failed;
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        count[state === 'pending' ? 'skipped' : state]++;
      }
      // A file that could not be loaded, or a hook that threw, has no failed test of its own.
      if (module.state() === 'failed' && count.failed === failedBefore) count.failed++;
    }
    process.once('exit', () => {
      writeSync(1, `\n${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped\n`);
    });
  }
}
