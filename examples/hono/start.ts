import { runExample } from '../shared/example.ts';

await runExample({ framework: 'Hono', folder: import.meta.dirname, program: () => ['server.ts'] });
