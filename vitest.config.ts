import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));

/** Tests import the sources by the packages' public names, so they need no build. */
const alias = [
  { find: /^@latchkey\/core\/providers$/, replacement: path('packages/core/src/providers/index.ts') },
  { find: /^@latchkey\/express\/providers$/, replacement: path('packages/express/src/providers/index.ts') },
  { find: /^@latchkey\/([\w-]+)$/, replacement: path('packages/$1/src/index.ts') },
  { find: /^@latchkey\/([\w-]+)\/(.+)$/, replacement: path('packages/$1/src/$2.ts') },
];

const tests = ['packages/*/test/**/*.test.ts', 'examples/*/test/**/*.test.ts', 'test/**/*.test.ts'];
const inBrowser = ['**/test/browser/**/*.test.ts'];
const never = ['**/node_modules/**', '**/dist/**'];
const byOthers = ['test/adapters/**/*.test.ts', 'test/interop/passkeys.test.ts'];

export default defineConfig({
  resolve: { alias },
  test: {
    reporters: ['default', './scripts/closing-line.ts'],
    // Waiting for something that never comes, not a measure of speed: two cores may have much to do.
    testTimeout: 30_000,
    hookTimeout: 60_000,
    coverage: { provider: 'v8', include: ['packages/*/src/**'], reporter: ['text-summary', 'lcov'] },
    projects: [
      {
        extends: true,
        test: {
          name: 'node',
          include: tests,
          exclude: [...never, ...inBrowser, ...byOthers],
          setupFiles: [path('packages/core/test/properties/seed.ts')],
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
          exclude: never,
          pool: 'forks',
          // One Chromium at a time.
          fileParallelism: false,
        },
      },
    ],
  },
});
