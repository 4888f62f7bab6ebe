import { runExample } from '../shared/example.ts';

await runExample({ framework: 'Fastify', folder: import.meta.dirname, program: () => ['server.ts'] });
