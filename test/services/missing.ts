import type { Engine, Fresh, Kind, Recipe, StartOptions } from './engine.ts';

/** No server of this kind answers, and none can be started. The message names the remedies. */
export class ServiceMissing extends Error {
  override readonly name = 'ServiceMissing';
  readonly kind: Kind;

  constructor(engine: Pick<Engine<never, never>, 'kind' | 'title' | 'variable' | 'debian' | 'url' | 'standardPort'>) {
    const { kind, title, variable, debian, url, standardPort } = engine;
    super(
      `no ${title} for the tests: install it (Debian: apt-get install ${debian}), ` +
        `or start one at ${url(standardPort)}, or set ${variable} to its address`,
    );
    this.kind = kind;
  }
}

/**
 * Returns the commands that start a server of this kind. `npm test` has installed its programs if possible.
 *
 * @throws {ServiceMissing} if its programs are not installed.
 */
export function recipeFor<F extends Fresh, O extends StartOptions>(engine: Engine<F, O>): Recipe<O> {
  const recipe = engine.recipe();
  if (!recipe) throw new ServiceMissing(engine);
  return recipe;
}
