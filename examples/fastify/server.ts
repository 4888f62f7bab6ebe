import { createApp } from './app.ts';

const app = await createApp();
await app.listen({ host: 'localhost', port: Number(process.env['PORT'] ?? 3000) });
