import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { exitWith, Problem } from '../../../scripts/run.mjs';
import { optionsPage } from './options/page.ts';
import { readOptions } from './options/read.ts';

const page = new URL('../../../docs/options.md', import.meta.url);

// `npm run options` writes docs/options.md from the documentation comments of `AuthConfig`. With `--check`, it fails if
// the page is out of date.
await exitWith(async () => {
  const text = optionsPage(readOptions());
  const isCurrent = existsSync(page) && readFileSync(page, 'utf8') === text;
  if (process.argv.includes('--check')) {
    if (!isCurrent) throw new Problem('stale: docs/options.md. Run `npm run options`');
  } else if (!isCurrent) {
    writeFileSync(page, text);
    console.log('wrote docs/options.md');
  }
  return 0;
});
