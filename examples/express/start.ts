import { startMailbox } from '@latchkey/testing/mailbox';
import { startDemoProvider } from '../shared/demo-provider.ts';
import { storeDemoUser } from '../shared/demo-user.ts';
import { onEnd } from '../shared/end.ts';
import { dataFolder, keptSecret } from '../shared/kept.ts';
import { freePort, listen, Problem, publicOrigin, readPort } from '../shared/port.ts';
import { welcome } from '../shared/welcome.ts';
import { createApp } from './app.ts';
import { authConfigs } from './auth.ts';
import { envProviders } from './env-providers.ts';
import { openStore } from './store.ts';

try {
  const port = readPort(process.env['PORT']);
  const origin = publicOrigin(port);
  const folder = dataFolder(import.meta.dirname);
  const store = await openStore(process.env['DATABASE_URL'], folder);
  await storeDemoUser(store.adapter);
  const mailbox = await startMailbox();
  const { issuer, users } = await startDemoProvider(await freePort(port + 1), `${origin}/auth/callback/demo`);
  const app = createApp({
    configs: authConfigs({
      issuer,
      mailServer: mailbox.server,
      secret: keptSecret(folder),
      store,
      others: await envProviders(process.env),
    }),
    store,
    issuer,
    mails: mailbox.messages,
  });
  await listen(app, port);
  console.log(welcome({ origin, inbox: `${origin}/inbox`, users, store: store.name }));

  onEnd(() => store.close());
} catch (error) {
  console.error(error instanceof Problem ? error.message : error);
  process.exit(1);
}
