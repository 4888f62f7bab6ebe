import { runExample } from '../shared/example.ts';
import { buildApplication } from './build.ts';

await runExample({
  framework: 'Nuxt',
  folder: import.meta.dirname,
  build: buildApplication,
  program: () => ['.output/server/index.mjs'],
  env: { HOST: 'localhost' },
});
