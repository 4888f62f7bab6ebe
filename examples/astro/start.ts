import { runExample } from '../shared/example.ts';
import { buildApplication } from './build.ts';

await runExample({
  framework: 'Astro',
  folder: import.meta.dirname,
  build: buildApplication,
  program: () => ['dist/server/entry.mjs'],
  env: { HOST: 'localhost' },
});
