import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take longest, the longest first. A name that is no longer right costs time, and nothing else. */
const long = [
  'test/interop/next-auth.test.ts',
  'packages/next/test/built/shop.test.ts',
  'test/compat/next-15/flow.test.ts',
  'examples/next/test/browser/sign-in.test.ts',
  'examples/next/test/browser/base-path.test.ts',
  'test/compat/kit-2/documented.test.ts',
  'examples/express/test/browser/demo.test.ts',
  'examples/express/test/browser/session-modes.test.ts',
  'examples/express/test/browser/email.test.ts',
  'packages/core/test/fuzz/sign-ins.test.ts',
  'packages/core/test/fuzz/providers.test.ts',
  'packages/core/test/browser/views.test.ts',
  'test/docs-snippets.test.ts',
  'packages/core/test/attacks/unhandled.test.ts',
  'test/adapters/interop/prisma.test.ts',
  'test/adapters/mikro-orm.test.ts',
  'test/adapters/sequelize.test.ts',
  'packages/adapter-sql/test/presets/suite.test.ts',
  'test/services/services.test.ts',
  'packages/adapter-redis/test/adapter-suite.test.ts',
  'packages/adapter-sql/test/suite/postgres.test.ts',
  'packages/adapter-sql/test/at-once.test.ts',
  'packages/core/test/providers/conformance.test.ts',
  'packages/adapter-redis/test/interleaved.test.ts',
  'examples/express/test/start.test.ts',
  'packages/core/test/flows-real/garbage.test.ts',
  'packages/adapter-sql/test/migrate-at-once.test.ts',
  'test/services/ending.test.ts',
  'packages/adapter-sql/test/suite/mysql.test.ts',
  'packages/adapter-sql/test/migrate.test.ts',
  'test/differential/differential.test.ts',
  'packages/adapter-sql/test/engines/pglite.test.ts',
  'packages/adapter-sql/test/faults/lost.test.ts',
  'packages/adapter-sql/test/engines/engines.test.ts',
  'packages/adapter-sql/test/cleanup.test.ts',
  'packages/adapter-sql/test/engines/engine-of.test.ts',
  'packages/adapter-sql/test/statements.test.ts',
  'packages/adapter-sql/test/faults/servers.test.ts',
  'packages/sveltekit/test/svelte-check.test.ts',
  'examples/express/test/stores.test.ts',
];

/**
 * Files with a worker of their own come first, those of different projects in turn, so that there is seldom more than one build
 * and one browser, and who waits for them leaves the processor to others. Of each kind the longest come first: the short ones
 * at the end keep all workers busy.
 */
export default class Order extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = longestFirst(await super.sort(files));
    const isAlone = ({ project }: TestSpecification): boolean => project.config.isolate;
    return [...inTurn(sorted.filter(isAlone)), ...sorted.filter((file) => !isAlone(file))];
  }
}

function longestFirst(files: readonly TestSpecification[]): TestSpecification[] {
  const rank = ({ moduleId, project }: TestSpecification): number => {
    const place = long.indexOf(relative(project.config.root, moduleId));
    return place < 0 ? long.length : place;
  };
  return files.toSorted((one, other) => rank(one) - rank(other));
}

/** The first file of each project, then the second of each. */
function inTurn(files: readonly TestSpecification[]): TestSpecification[] {
  const names = [...new Set(files.map(({ project }) => project.name))];
  const projects = names.map((name) => files.filter(({ project }) => project.name === name));
  const rounds = Math.max(0, ...projects.map(({ length }) => length));
  return Array.from({ length: rounds }, (_, round) => projects.flatMap((own) => own.slice(round, round + 1))).flat();
}
