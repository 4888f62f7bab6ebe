import { readFileSync, writeSync } from 'node:fs';
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { Reporter, SerializedError, TestCase, TestModule } from 'vitest/node';

/** Largest number of lines about failures, so that the end of the output contains all of them. */
const most = 60;
/** Largest number of lines of one failure's message. */
const mostOfOne = 4;
/** Number of slow files that the report names. */
const slowest = 10;
/** Number of files from which on a run counts as whole. The times of smaller runs are not compared. */
const wholeRun = 100;

/** Seconds that the files of each project may take together on an idle machine with two processors. */
const budgets: Readonly<Record<string, number>> = JSON.parse(
  readFileSync(new URL('../test/budgets.json', import.meta.url), 'utf8'),
);

/**
 * Prints a report at the very end: the slowest files, the tests that were not run, that failed, or that needed a second
 * try. The last line is `N passed, N failed, N skipped`.
 */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const count = { passed: 0, failed: unhandled.length, skipped: 0 };
    const lines = unhandled.flatMap((error) => linesOf('FAILED', 'outside of a test', [error]));
    for (const module of modules) {
      const failedBefore = count.failed;
      for (const test of module.children.allTests()) {
        const { state, errors = [] } = test.result();
        count[state === 'pending' ? 'skipped' : state]++;
        if (state === 'failed') lines.push(...linesOf('FAILED', nameOf(test), errors));
        if (test.diagnostic()?.flaky) lines.push(...linesOf('NEEDED A SECOND TRY', nameOf(test), errors));
      }
      const errors = [...module.errors(), ...errorsOfSuites(module)];
      if (errors.length > 0) lines.push(...linesOf('FAILED', fileOf(module), errors));
      // A file that could not be loaded, or a hook that threw, has no failed test of its own.
      if (module.state() === 'failed' && count.failed === failedBefore) count.failed++;
    }
    const kept = lines.length > most ? [...lines.slice(0, most), `… and ${lines.length - most} lines more`] : lines;
    const parts = [modules.length < wholeRun ? [] : times(modules), notRun(), kept].filter(({ length }) => length > 0);
    process.once('exit', () => {
      const report = parts.map((part) => `\n${part.join('\n')}\n`).join('');
      writeSync(1, `${report}\n${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped\n`);
    });
  }
}

/** Returns the slowest files, and each project with its budget. */
function times(modules: readonly TestModule[]): string[] {
  const files = modules
    .map((module) => ({ name: fileOf(module), project: module.project.name, seconds: secondsOf(module) }))
    .sort((one, other) => other.seconds - one.seconds);
  const projects = Object.entries(budgets).map(([project, budget]) => {
    const seconds = files.filter((file) => file.project === project).reduce((sum, file) => sum + file.seconds, 0);
    return `${format(seconds)} of ${format(budget)}  ${project}${seconds > budget ? '  OVER ITS BUDGET' : ''}`;
  });
  return [
    'The slowest files, in seconds:',
    ...files.slice(0, slowest).map(({ name, seconds }) => `${format(seconds)}  ${name}`),
    'The projects, in seconds of all their files, with the budgets of test/budgets.json:',
    ...projects,
  ];
}

function secondsOf(module: TestModule): number {
  const { collectDuration, setupDuration, duration } = module.diagnostic();
  return (collectDuration + setupDuration + duration) / 1000;
}

function format(seconds: number): string {
  return seconds.toFixed(0).padStart(6);
}

/** Returns the tests that `npm test` could not run: see `scripts/test.mjs`. */
function notRun(): string[] {
  const names = process.env['LATCHKEY_NOT_RUN'] ?? '';
  return names === '' ? [] : names.split('\n').map((tests) => `not run: ${tests}`);
}

function linesOf(what: string, where: string, errors: readonly { message?: string }[]): string[] {
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
