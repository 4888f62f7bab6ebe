import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import Order from './scripts/order.ts';

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));

/** Tests import the sources by the packages' public names, so they need no build. */
const alias = [
  { find: /^@latchkey\/core\/providers$/, replacement: path('packages/core/src/providers/index.ts') },
  { find: /^@latchkey\/express\/providers$/, replacement: path('packages/express/src/providers/index.ts') },
  { find: /^@latchkey\/next\/providers$/, replacement: path('packages/next/src/providers/index.ts') },
  { find: /^@latchkey\/sveltekit\/providers$/, replacement: path('packages/sveltekit/src/providers/index.ts') },
  { find: /^@latchkey\/([\w-]+)$/, replacement: path('packages/$1/src/index.ts') },
  { find: /^@latchkey\/([\w-]+)\/(.+)$/, replacement: path('packages/$1/src/$2.ts') },
];

/** Before each test the process forgets whom it has counted. */
const forget = path('packages/core/test/rate-limit/forget.ts');

const tests = ['packages/*/test/**/*.test.ts', 'examples/*/test/**/*.test.ts', 'test/**/*.test.ts'];
const inBrowser = ['**/test/browser/**/*.test.ts'];
const never = ['**/node_modules/**', '**/dist/**'];
/** Whole applications of the frameworks, built for production; alone by `npm run test:applications`. */
const applications = [
  'examples/{next,sveltekit}/test/**/*.test.ts',
  'packages/next/test/built/**/*.test.ts',
  'test/compat/{next-15,kit-2}/**/*.test.ts',
  'test/interop/next-auth.test.ts',
];
/**
 * Where all must pass, a test may be tried again, and `closing-line.ts` names it: browsers and whole applications
 * twice, others once (ports and databases of one machine are shared with others).
 */
const mayRepeat = process.env['CI'] === 'true';
const retry = mayRepeat ? 2 : 0;
const byOthers = ['test/adapters/**/*.test.ts', 'test/interop/passkeys.test.ts'];

export default defineConfig({
  resolve: { alias },
  test: {
    reporters: ['default', './scripts/closing-line.ts'],
    retry: mayRepeat ? 1 : 0,
    // Waiting for something that never comes, not a measure of speed: two cores may have much to do.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 10_000 } },
    // Four more than there are processors: half of the time, tests wait for databases, browsers and other processes.
    maxWorkers: availableParallelism() + 4,
    sequence: { sequencer: Order },
    globalSetup: [path('test/services/whole-run.ts')],
    // MariaDB's databases are dropped after the last test.
    teardownTimeout: 120_000,
    coverage: { provider: 'v8', include: ['packages/*/src/**'], reporter: ['text-summary', 'lcov'] },
    projects: [
      {
        extends: true,
        test: {
          name: 'node',
          include: tests,
          exclude: [...never, ...inBrowser, ...byOthers, ...applications],
          setupFiles: [path('packages/core/test/properties/seed.ts'), forget],
          pool: 'threads',
          // Files of one worker share their modules: five times faster, and our modules keep no state that matters.
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'adapters',
          include: byOthers,
          exclude: never,
          setupFiles: [forget],
          pool: 'threads',
          // Other people's packages remember things from one configuration to the next.
          isolate: true,
        },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          include: inBrowser,
          exclude: [...never, ...applications],
          pool: 'forks',
          retry,
        },
      },
      {
        extends: true,
        test: {
          name: 'applications',
          include: applications,
          exclude: [...never, '**/application-*/**'],
          pool: 'forks',
          retry,
        },
      },
    ],
  },
});
