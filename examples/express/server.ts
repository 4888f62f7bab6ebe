import { createApp } from './app.ts';
import { authConfig } from './auth.ts';
import { startDemoProvider } from './demo-provider.ts';
import { freePort, listen, Problem, readPort } from './port.ts';
import { openStore } from './store.ts';
import { welcome } from './welcome.ts';

try {
  const port = readPort(process.env['PORT']);
  const origin = `http://localhost:${port}`;
  const store = openStore(process.env['DATA_DIR'] ?? `${import.meta.dirname}/.data`);
  const provider = await startDemoProvider(await freePort(port + 1), origin);
  const app = createApp(authConfig({ issuer: provider.issuer, ...store }), provider.issuer);
  await listen(app, port);
  console.log(welcome(origin, provider.users));

  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      store.database.close();
      // At once: browsers keep connections open, and nothing is worth waiting for.
      process.exit(0);
    });
  }
} catch (error) {
  console.error(error instanceof Problem ? error.message : error);
  process.exit(1);
}
