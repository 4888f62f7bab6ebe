import { runExample } from '../shared/example.ts';
import { buildApplication } from './build.ts';

await runExample({
  framework: 'React Router',
  folder: import.meta.dirname,
  build: buildApplication,
  program: () => ['server.ts'],
});
