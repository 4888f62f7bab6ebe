import { registerHooks } from 'node:module';

/*
 * `node --import <this file> program.ts`: the packages' own names lead to their sources, as they do in tests, so that a program
 * that a test starts needs no build.
 */

const packages = new URL('../../../', import.meta.url);

registerHooks({
  resolve(specifier, context, next) {
    const [, name, entry] = /^@latchkey\/([\w-]+)(?:\/(.+))?$/.exec(specifier) ?? [];
    if (name === undefined) return next(specifier, context);
    const file = { undefined: 'index', providers: 'providers/index' }[String(entry)] ?? entry;
    return next(new URL(`${name}/src/${file}.ts`, packages).href, context);
  },
});
