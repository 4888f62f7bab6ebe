import { runExample } from '../shared/example.ts';
import { buildApplication } from './build.ts';

await runExample({
  framework: 'TanStack Start',
  folder: import.meta.dirname,
  build: buildApplication,
  program: () => ['server.ts'],
});
