import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { exitWith, Problem } from '../../../scripts/run.mjs';
import { cliFile } from './providers/cli-file.ts';
import { allFacts, type Facts } from './providers/facts.ts';
import { providersPage } from './providers/page.ts';
import { typesFile } from './providers/types-file.ts';

const root = new URL('../../../', import.meta.url);

/** The files that are generated from `src/providers`, with their generators. */
const derived: Record<string, (facts: readonly Facts[]) => string> = {
  'packages/core/src/providers/provider-types.ts': typesFile,
  'packages/cli/src/provider-facts.ts': cliFile,
  'docs/providers.md': providersPage,
};

// `npm run providers` writes these files. With `--check`, it fails if one is out of date.
await exitWith(async () => {
  const facts = await allFacts();
  const stale = Object.entries(derived)
    .map(([path, make]) => ({ file: new URL(path, root), text: make(facts) }))
    .filter(({ file, text }) => !existsSync(file) || readFileSync(file, 'utf8') !== text);
  const names = stale.map(({ file }) => relative(fileURLToPath(root), fileURLToPath(file)));
  if (process.argv.includes('--check')) {
    if (stale.length > 0) throw new Problem(`stale: ${names.join(', ')}. Run \`npm run providers\``);
    return 0;
  }
  for (const { file, text } of stale) writeFileSync(file, text);
  for (const name of names) console.log(`wrote ${name}`);
  return 0;
});
