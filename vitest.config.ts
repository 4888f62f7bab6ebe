import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));

/** Tests import the sources by the packages' public names, so they need no build. */
const alias = [
  // The providers of all packages are core's; the build writes the files that re-export them.
  { find: /^@latchkey\/[\w-]+\/providers$/, replacement: path('packages/core/src/providers/index.ts') },
  { find: /^@latchkey\/[\w-]+\/providers\/(.+)$/, replacement: path('packages/core/src/providers/$1.ts') },
  { find: /^@latchkey\/([\w-]+)$/, replacement: path('packages/$1/src/index.ts') },
  { find: /^@latchkey\/([\w-]+)\/(.+)$/, replacement: path('packages/$1/src/$2.ts') },
];

const never = ['**/node_modules/**', '**/dist/**', 'test/docs/projects/**'];
const inBrowser = ['**/test/browser/**/*.test.ts'];
/**
 * Whole applications of the frameworks, built for production, the demos driven by Chromium, and the built documentation
 * site; alone by `npm run test:applications`.
 */
const applications = [
  'test/browser/site.test.ts',
  'examples/{fastify,h3,hono}/test/browser/tour.test.ts',
  'examples/{astro,next,nuxt,react-router,solid-start,sveltekit,tanstack-start}/test/**/*.test.ts',
  'packages/cli/test/built/**/*.test.ts',
  'packages/{astro,next,nuxt}/test/built/**/*.test.ts',
  'packages/react-router/test/{contract,data-requests}.test.ts',
  'packages/tanstack-start/test/{contract,pitfalls}.test.ts',
  'test/interop/next-auth.test.ts',
  'test/wrappers/auth-{astro,qwik}.test.ts',
  'test/docs/applications.test.ts',
];
/**
 * Earlier versions of frameworks with a build, which take half an hour; by `npm run test:majors` only. `npm test` tests
 * the earlier versions without a build: Express 4 and h3 1.
 */
const majors = [
  'test/compat/{kit-2,next-15,astro-6,astro-6.4,nuxt-3,react-router-7,tanstack-start-1.169}/**/*.test.ts',
];
/**
 * Packages of other projects, which remember things from one configuration to the next, and an earlier major in the
 * place of a package.
 */
const byOthers = [
  'test/adapters/**/*.test.ts',
  'test/interop/passkeys.test.ts',
  'packages/h3/test/*-h3-1.test.ts',
  'packages/hono/test/*-hono-4.0.test.ts',
  'examples/nest/test/*-nest-11.test.ts',
];
/** Tests that measure time, or wait for deadlines of milliseconds. */
const timing = [
  'packages/core/test/logout/deadline.test.ts',
  'packages/core/test/properties/redact.test.ts',
  'packages/core/test/wire/bounded-fetch.test.ts',
  'packages/testing/test/mailbox.test.ts',
  'test/run.test.ts',
];
/** Of the packages whose tests are quick, the tests that take longer, or need a server or further packages. */
const slow = [
  'packages/core/test/{attacks,flows-real,fuzz,properties,providers}/**/*.test.ts',
  'packages/testing/test/binding-suite.test.ts',
  'test/docs-snippets.test.ts',
];
/** Needs no database, browser, build or further packages; alone by `npm run test:quick`. */
const quick = ['packages/{core,next,testing}/test/**/*.test.ts', 'test/docs-*.test.ts'];
/** Everything else. */
const others = ['packages/!(core|next|testing)/test/**/*.test.ts', '{examples/*/,}test/**/*.test.ts', ...slow];

/**
 * In CI a failed test is tried again, because it shares ports and databases of the machine with other processes. Tests
 * of browsers and whole applications are tried again twice, others once. `closing-line.ts` names them.
 */
const mayRepeat = process.env['CI'] === 'true';

/**
 * Tests that wait for builds, browsers and databases begin first. They are taken from each project in turn, so that two
 * workers rarely build at once. Within a project the order is vitest's own: failed before, then longest, then largest.
 */
class WaitingFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const of = (name: string): TestSpecification[] => sorted.filter(({ project }) => project.name === name);
    const first = ['applications', 'browser', 'adapters'];
    const waiting = first.map(of);
    const longest = Math.max(...waiting.map(({ length }) => length));
    const inTurn = Array.from({ length: longest }, (_, round) => waiting.flatMap((own) => own.slice(round, round + 1)));
    const others = sorted.filter(({ project: { name } }) => name !== 'timing' && !first.includes(name));
    return [...inTurn.flat(), ...others, ...of('timing')];
  }
}

/** Before each test the process forgets the visitors that it has counted. */
const forget = path('packages/core/test/rate-limit/forget.ts');
const clean = path('test/setup/clean.ts');
/** Files must close what they open. Not where tests use databases: their pools keep timers. */
const held = path('test/setup/held.ts');
const seed = path('packages/core/test/properties/seed.ts');

export default defineConfig({
  resolve: { alias },
  test: {
    reporters: ['default', './scripts/closing-line.ts'],
    retry: mayRepeat ? 1 : 0,
    // A limit for a wait that never ends, not a measure of speed: two processors may have much to do.
    testTimeout: 300_000,
    // A hook may wait until the applications of all other files are built.
    hookTimeout: 1_200_000,
    expect: { poll: { timeout: 60_000 } },
    // Four more than there are processors: half of the time, tests wait for databases, browsers and other processes.
    maxWorkers: availableParallelism() + 4,
    sequence: { sequencer: WaitingFirst },
    globalSetup: [path('test/services/whole-run.ts')],
    // MariaDB's databases are dropped after the last test.
    teardownTimeout: 120_000,
    coverage: { provider: 'v8', include: ['packages/*/src/**'], reporter: ['text-summary', 'lcov'] },
    projects: [
      {
        extends: true,
        test: {
          name: 'quick',
          include: quick,
          exclude: [...never, ...inBrowser, ...applications, ...majors, ...timing, ...slow],
          setupFiles: [seed, forget, clean, held],
          pool: 'threads',
          // Files of one worker share their modules, which is five times faster. The modules keep no relevant state.
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'node',
          include: others,
          exclude: [
            ...never,
            ...inBrowser,
            ...byOthers,
            ...applications,
            ...majors,
            ...timing,
            'test/docs-!(snippets).test.ts',
          ],
          setupFiles: [seed, forget, clean],
          pool: 'threads',
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'adapters',
          include: byOthers,
          exclude: never,
          setupFiles: [forget, clean],
          pool: 'threads',
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
          retry: mayRepeat ? 2 : 0,
        },
      },
      {
        extends: true,
        test: {
          name: 'applications',
          include: applications,
          exclude: [...never, ...majors, '**/application-*/**'],
          pool: 'forks',
          retry: mayRepeat ? 2 : 0,
        },
      },
      {
        extends: true,
        test: {
          name: 'majors',
          include: majors,
          exclude: [...never, '**/application-*/**'],
          pool: 'forks',
          retry: mayRepeat ? 2 : 0,
        },
      },
      {
        extends: true,
        test: {
          name: 'timing',
          include: timing,
          exclude: never,
          setupFiles: [seed, forget, clean],
          // Last, and one file at a time.
          sequence: { groupOrder: 1 },
          maxWorkers: 1,
        },
      },
    ],
  },
});
