import { runExample } from '../shared/example.ts';
import { buildApplication } from './build.ts';

await runExample({
  framework: 'SolidStart',
  folder: import.meta.dirname,
  build: buildApplication,
  program: () => ['server.ts'],
});
