import { createHash } from 'node:crypto';

/**
 * Lets one mutant in so many through, for a figure in less time. Which ones is a matter of what a mutant is and of the seed, so that
 * every run on the same sources judges the same. Stryker counts the others as invalid, not as killed.
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

/** What Stryker asks of a plugin's file. */
export const strykerPlugins = [{ kind: 'Checker', name: 'sample', injectableClass: Sample }];
