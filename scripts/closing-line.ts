import { writeSync } from 'node:fs';
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { Reporter, SerializedError, TestCase, TestModule } from 'vitest/node';

/** Lines of the report at most: who reads only the end of the output shall find all of it, as `.ci/run` does. */
const most = 60;
/** Lines of what one test failed with. */
const mostOfOne = 4;

/**
 * Prints at the very end, for people and for programs, which tests failed and with what, which needed a second try, and as the
 * last line `N passed, N failed, N skipped`.
 */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const count = { passed: 0, failed: unhandled.length, skipped: 0 };
    const told = unhandled.flatMap((error) => tell('FAILED', 'outside of a test', [error]));
    for (const module of modules) {
      const failedBefore = count.failed;
      for (const test of module.children.allTests()) {
        const { state, errors = [] } = test.result();
        count[state === 'pending' ? 'skipped' : state]++;
        if (state === 'failed') told.push(...tell('FAILED', nameOf(test), errors));
        if (test.diagnostic()?.flaky) told.push(...tell('NEEDED A SECOND TRY', nameOf(test), errors));
      }
      const errors = [...module.errors(), ...errorsOfSuites(module)];
      if (errors.length > 0) told.push(...tell('FAILED', fileOf(module), errors));
      // A file that could not be loaded, or a hook that threw, has no failed test of its own.
      if (module.state() === 'failed' && count.failed === failedBefore) count.failed++;
    }
    const kept = told.length > most ? [...told.slice(0, most), `… and ${told.length - most} lines more`] : told;
    process.once('exit', () => {
      const report = kept.length > 0 ? `\n${kept.join('\n')}\n` : '';
      writeSync(1, `${report}\n${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped\n`);
    });
  }
}

function tell(what: string, where: string, errors: readonly { message?: string }[]): string[] {
  const message = errors.map((error) => error.message ?? String(error)).join('\n');
  const lines = stripVTControlCharacters(message).split('\n', mostOfOne);
  return [`${what}: ${where}`, ...lines.filter(Boolean).map((line) => `    ${line.slice(0, 300)}`)];
}

function errorsOfSuites(module: TestModule): SerializedError[] {
  return [...module.children.allSuites()].flatMap((suite) => suite.errors());
}

function nameOf(test: TestCase): string {
  return `${fileOf(test.module)} > ${test.fullName}`;
}

function fileOf(module: TestModule): string {
  return relative(process.cwd(), module.moduleId);
}
