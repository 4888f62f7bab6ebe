import { registerHooks } from 'node:module';

/*
 * `node --import <this file> program.ts`: imports of the project's packages load their sources, as in tests. A program
 * that a test starts therefore needs no build.
 */

const packages = new URL('../../../', import.meta.url);

registerHooks({
  resolve(specifier, context, next) {
    const [, name, entry] = /^@latchkey\/([\w-]+)(?:\/(.+))?$/.exec(specifier) ?? [];
    if (name === undefined) return next(specifier, context);
    // The bindings' providers are those of core; only the build writes their files.
    const folder = entry?.startsWith('providers') ? 'core' : name;
    const file = { undefined: 'index', providers: 'providers/index' }[String(entry)] ?? entry;
    return next(new URL(`${folder}/src/${file}.ts`, packages).href, context);
  },
});
