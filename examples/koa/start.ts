import { runExample } from '../shared/example.ts';

await runExample({ framework: 'Koa', folder: import.meta.dirname, program: () => ['server.ts'] });
