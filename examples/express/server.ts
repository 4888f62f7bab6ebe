import { startMailbox } from '@latchkey/testing/mailbox';
import { createApp } from './app.ts';
import { authConfigs } from './auth.ts';
import { startDemoProvider } from './demo-provider.ts';
import { storeDemoUser } from './demo-user.ts';
import { envProviders } from './env-providers.ts';
import { freePort, listen, Problem, readPort } from './port.ts';
import { dataFolder, keptSecret, openStore } from './store.ts';
import { welcome } from './welcome.ts';

try {
  const port = readPort(process.env['PORT']);
  const origin = `http://localhost:${port}`;
  const folder = dataFolder(process.env['DATA_DIR']);
  const store = await openStore(process.env['DATABASE_URL'], folder);
  await storeDemoUser(store.adapter);
  const mailbox = await startMailbox();
  const { issuer, users } = await startDemoProvider(await freePort(port + 1), origin);
  const app = createApp({
    configs: authConfigs({
      issuer,
      mailServer: mailbox.server,
      secret: keptSecret(folder),
      adapter: store.adapter,
      others: await envProviders(process.env),
    }),
    store,
    issuer,
    mails: mailbox.messages,
  });
  await listen(app, port);
  console.log(welcome(origin, users, store.name));

  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      // At once: browsers keep connections open, and nothing is worth waiting for.
      void store.close().finally(() => process.exit(0));
      setTimeout(() => process.exit(0), 500);
    });
  }
} catch (error) {
  console.error(error instanceof Problem ? error.message : error);
  process.exit(1);
}
