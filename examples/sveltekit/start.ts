import { DatabaseSync } from 'node:sqlite';
import { SqlAdapter } from '@latchkey/adapter-sql';
import { storeDemoUser } from '../shared/demo-user.ts';
import { onEnd } from '../shared/end.ts';
import { dataFolder } from '../shared/kept.ts';
import { Problem, publicOrigin, readPort, refuseTaken } from '../shared/port.ts';
import { startServer } from '../shared/program.ts';
import { startServices } from '../shared/services.ts';
import { welcome } from '../shared/welcome.ts';
import { buildApplication } from './build.ts';

try {
  const port = readPort(process.env['PORT']);
  const basePath = process.env['BASE_PATH'] ?? '';
  const origin = publicOrigin(port);
  const home = origin + basePath;
  await refuseTaken(port);
  const build = await buildApplication(basePath);

  const { env, inbox, users } = await startServices({
    port,
    origin,
    callbackPath: `${basePath}/auth/callback/demo`,
    folder: dataFolder(import.meta.dirname),
    site: { name: 'SvelteKit demo', home: `${home}/`, signIn: `${home}/sign-in` },
  });
  const database = new DatabaseSync(env.DATABASE_FILE);
  await storeDemoUser(SqlAdapter(database));
  database.close();

  const options = { cwd: import.meta.dirname, env: { AUTH_TRUST_HOST: 'true', ...env } };
  const address = `http://localhost:${port}${basePath}/sign-in`;
  const server = await startServer(`${import.meta.dirname}/server.ts`, [build, String(port)], options, address);
  onEnd(async () => void server.kill());
  console.log(welcome({ origin: home, inbox, users, store: 'SQLite' }));
} catch (error) {
  console.error(error instanceof Problem ? error.message : error);
  process.exit(1);
}
