// Named by a variable: it is there once `npm run mutation` has installed it.
const runner = '@stryker-mutator/vitest-runner';
const { strykerPlugins: plugins, strykerValidationSchema: schema } = await import(runner);
const [{ factory }] = plugins;

/**
 * Stryker's runner for vitest, but for what it tells about which test met which mutant: modules are loaded and values remembered
 * once for all tests of a worker, so only the first would be named, and asked. Without that, a mutant has all tests of its part
 * against it, from the loading of the modules on.
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

/** What Stryker asks of a plugin's file. */
export const strykerPlugins = [{ kind: 'TestRunner', name: 'whole', factory: wholeRunner }];

/** The options of the runner inside. */
export const strykerValidationSchema = schema;
