import { runExample } from '../shared/example.ts';

await runExample({ framework: 'h3', folder: import.meta.dirname, program: () => ['server.ts'] });
