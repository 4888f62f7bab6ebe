import { createHash } from 'node:crypto';

/**
 * Keeps only a sample of the mutants, for a score in less time. The selection depends on the mutant and the seed only,
 * so that it is the same in each run on the same sources. Stryker counts the other mutants as invalid, not as killed.
 */
class Sample {
  #seed = process.env['MUTATION_SEED'] ?? '1';
  #oneIn = Number(process.env['MUTATION_ONE_IN'] ?? 1);

  async init() {}

  /** @param {readonly Mutant[]} mutants */
  async check(mutants) {
    return Object.fromEntries(mutants.map((mutant) => [mutant.id, this.#isIn(mutant) ? PASSED : LEFT_OUT]));
  }

  /** All at once. @param {readonly Mutant[]} mutants */
  async group(mutants) {
    return [mutants.map(({ id }) => id)];
  }

  /** @param {Mutant} mutant */
  #isIn({ fileName, location, replacement }) {
    const name = fileName.replaceAll('\\', '/').replace(/^.*\/packages\//, '');
    const identity = JSON.stringify([this.#seed, name, location, replacement]);
    return createHash('sha256').update(identity).digest().readUInt32BE() % this.#oneIn === 0;
  }
}

/** @typedef {{ id: string, fileName: string, location: object, replacement: string }} Mutant */

const PASSED = { status: 'passed' };
const LEFT_OUT = { status: 'compileError', reason: 'not in the sample' };

/** The export that Stryker expects of a plugin. */
export const strykerPlugins = [{ kind: 'Checker', name: 'sample', injectableClass: Sample }];
