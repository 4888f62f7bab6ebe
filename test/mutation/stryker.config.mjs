import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parts } from './parts.mjs';

const part = process.env['MUTATION_PART'] ?? '';
const isSample = Number(process.env['MUTATION_ONE_IN'] ?? 1) > 1;
const { mutate } = parts[part] ?? { mutate: [] };

/** How Stryker works here; `run.mjs` names the part. */
export default {
  plugins: ['./test/mutation/runner.mjs', './test/mutation/sample.mjs'],
  checkers: isSample ? ['sample'] : [],
  testRunner: 'whole',
  vitest: { configFile: 'test/mutation/vitest.config.ts', related: false },
  mutate: mutate.map((glob) => glob.replace(/^!?/, '$&packages/core/src/')),
  // The files that the tests of core read. Stryker does not copy other files.
  ignorePatterns: [
    '/*',
    '!/packages',
    '!/docs',
    '!/decisions',
    '!/scripts',
    '!/test',
    '!/vitest.config.ts',
    '!/package.json',
    '!/tsconfig*.json',
    '/packages/*/dist',
    '/packages/*/test',
    '!/packages/core/test',
    '!/packages/testing/test',
    '/packages/core/test/{browser,runtimes,soak}',
    '/test/*',
    '!/test/mutation',
    '/test/mutation/.data',
  ],
  // Outside of the repository, or other runs of tests would find the copies.
  tempDirName: join(tmpdir(), 'latchkey-mutation'),
  cleanTempDir: 'always',
  coverageAnalysis: 'off',
  disableTypeChecks: false,
  // A machine with much else to do must not look like a mutant that never ends.
  timeoutMS: 60_000,
  concurrency: Number(process.env['MUTATION_CONCURRENCY'] ?? 1),
  incremental: true,
  incrementalFile: process.env['MUTATION_FILE'] ?? 'test/mutation/.data/one.json',
  reporters: ['progress-append-only', 'clear-text'],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  allowConsoleColors: false,
};
