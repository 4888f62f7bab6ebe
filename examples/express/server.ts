import { startMailbox } from '@latchkey/testing/mailbox';
import { createApp } from './app.ts';
import { authConfigs } from './auth.ts';
import { startDemoProvider } from './demo-provider.ts';
import { storeDemoUser } from './demo-user.ts';
import { freePort, listen, Problem, readPort } from './port.ts';
import { countSessions, openStore } from './store.ts';
import { welcome } from './welcome.ts';

try {
  const port = readPort(process.env['PORT']);
  const origin = `http://localhost:${port}`;
  const { adapter, database, secret } = openStore(process.env['DATA_DIR'] ?? `${import.meta.dirname}/.data`);
  await storeDemoUser(adapter);
  const mailbox = await startMailbox();
  const { issuer, users } = await startDemoProvider(await freePort(port + 1), origin);
  const app = createApp({
    configs: authConfigs({ issuer, mailServer: mailbox.server, secret, adapter }),
    issuer,
    mails: mailbox.messages,
    countSessions: (email) => countSessions(database, email),
  });
  await listen(app, port);
  console.log(welcome(origin, users));

  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      database.close();
      // At once: browsers keep connections open, and nothing is worth waiting for.
      process.exit(0);
    });
  }
} catch (error) {
  console.error(error instanceof Problem ? error.message : error);
  process.exit(1);
}
