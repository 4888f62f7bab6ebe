// Resolves the application's imports; loaded before it with `--import`. LIBRARY is `original` or `ours`. EXPRESS is the
// major version.
import { registerHooks } from 'node:module';

const { LIBRARY, EXPRESS = '5' } = process.env;
const root = new URL('../../../', import.meta.url);
const original = 'test/peers/authjs/';
const express = EXPRESS === '4' ? 'test/compat/express-4/' : original;

/** As if imported from that folder. @param {string} folder */
const from = (folder) => new URL(`${folder}load.mjs`, root).href;

/** A source file of Latchkey, by its public name. @param {string} name */
function source(name) {
  const [, library = '', path = 'index'] = /^@latchkey\/([^/]+)(?:\/(.+))?$/.exec(name) ?? [];
  // The bindings' providers are those of core; only the build writes their files.
  const folder = path.startsWith('providers') ? 'core' : library;
  return new URL(`packages/${folder}/src/${path === 'providers' ? 'providers/index' : path}.ts`, root).href;
}

registerHooks({
  resolve(specifier, context, next) {
    if (specifier === 'express') return next(specifier, { ...context, parentURL: from(express) });
    const name = LIBRARY === 'ours' ? specifier.replace(/^@auth\//, '@latchkey/') : specifier;
    if (name.startsWith('@latchkey/')) return next(source(name), context);
    if (/^@auth\/express(\/|$)/.test(name)) return next(name, { ...context, parentURL: from(original) });
    return next(specifier, context);
  },
});
