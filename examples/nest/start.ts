import { runExample } from '../shared/example.ts';
import { buildExample } from './build.ts';

await runExample({
  framework: 'Nest',
  folder: import.meta.dirname,
  build: buildExample,
  program: () => ['build/server.js'],
});
