// Named by a variable: it is there once `npm run mutation` has installed it.
const runner = '@stryker-mutator/vitest-runner';
const { strykerPlugins: plugins, strykerValidationSchema: schema } = await import(runner);
const [{ factory }] = plugins;

/**
 * Stryker's runner for vitest without coverage per test. Modules are loaded once for all tests of a worker, so that
 * only the first test would count as covering them. Without coverage, all tests of a part run against each of its
 * mutants.
 *
 * @param {unknown} injector
 */
function wholeRunner(injector) {
  const made = factory(injector);
  const dryRun = made.dryRun.bind(made);
  /** @param {unknown} options */
  made.dryRun = async (options) => ({ ...(await dryRun(options)), mutantCoverage: undefined });
  return made;
}
wholeRunner.inject = factory.inject;

/** The export that Stryker expects of a plugin. */
export const strykerPlugins = [{ kind: 'TestRunner', name: 'whole', factory: wholeRunner }];

/** The options of the runner inside. */
export const strykerValidationSchema = schema;
