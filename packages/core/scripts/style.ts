import { writeFileSync } from 'node:fs';
import { exitWith } from '../../../scripts/run.mjs';
import { styles } from '../src/views/styles.ts';

// Part of the build: writes `@latchkey/core/style.css`, the style sheet of the pages, for pages of the application.
await exitWith(async () => {
  writeFileSync(new URL('../dist/style.css', import.meta.url), `${styles}\n`);
  return 0;
});
