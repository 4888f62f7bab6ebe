import { matchesGlob } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import whole from '../../vitest.config.ts';
import { parts } from './parts.mjs';

const path = (relative: string): string => fileURLToPath(new URL(`../../${relative}`, import.meta.url));

const tests = (parts[process.env['MUTATION_PART'] ?? ''] ?? { tests: ['**'] }).tests.map(
  (name) => `packages/core/test/${name}.test.ts`,
);

/** As `parts.mjs` lists them. */
class AsListed extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = (file: TestSpecification) => tests.findIndex((test) => matchesGlob(file.moduleId, path(test)));
    return files.toSorted((a, b) => place(a) - place(b));
  }
}

/** The tests of one part, which Stryker runs for each mutant. */
export default defineConfig({
  root: path(''),
  ...(whole.resolve && { resolve: whole.resolve }),
  test: {
    include: tests,
    setupFiles: [path('packages/core/test/properties/seed.ts'), path('packages/core/test/rate-limit/forget.ts')],
    sequence: { sequencer: AsListed },
    pool: 'threads',
    isolate: false,
    testTimeout: 20_000,
  },
});
