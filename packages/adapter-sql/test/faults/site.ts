import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerNodeRequest } from '@latchkey/core/binding';
import type { AuthConfig } from '@latchkey/core/types';
import { SqlAdapter } from '../../src/index.ts';
import { answers } from './answers.ts';
import { type KindName, poolOf } from './pools.ts';

/** One of several processes of the same site. It answers with its port, and deletes users. */

const [kind, url = '', issuer = '', origin = ''] = process.argv.slice(2);
const pool = poolOf(kind as KindName, url);
const adapter = SqlAdapter(pool.db);
const basePath = '/auth';

const config: AuthConfig = {
  providers: [{ id: 'fake', name: 'Fake', type: 'oidc', issuer, clientId: 'client', clientSecret: 'a secret' }],
  adapter,
  // Each read writes, which must not restore a session that has ended.
  session: { updateAge: 0 },
  secret: 'a-secret-for-tests-of-more-than-32-characters',
  trustHost: true,
};

const server = createServer(async (request: IncomingMessage, response) => {
  await answerNodeRequest(request, response, { config, call: {} }, { origin, path: request.url ?? '/', basePath });
});
await once(server.listen(0, '127.0.0.1'), 'listening');

answers(
  async (question) => {
    if (question === 'port') return String((server.address() as AddressInfo).port);
    const user = await adapter.getUserByEmail(question);
    return String((user && (await adapter.deleteUser(user.id)))?.email);
  },
  async () => {
    server.close();
    server.closeAllConnections();
    await pool.close();
  },
);
