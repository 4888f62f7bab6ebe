import { DatabaseSync } from 'node:sqlite';
import { SqlAdapter } from '@latchkey/adapter-sql';
import { ExpressAuth, type ExpressAuthConfig, sessionsFrom } from '@latchkey/express';
import GitHub from '@latchkey/express/providers/github';
import express from 'express';

const config = {
  adapter: SqlAdapter(new DatabaseSync(':memory:')),
  session: { strategy: 'jwt', records: true },
  providers: [GitHub],
} satisfies ExpressAuthConfig;

export const app = express();
app.use('/auth', ExpressAuth(config));

app.get('/devices', async (req, res) => {
  res.json(await sessionsFrom(req, config).list());
});

app.post('/devices/:id/end', async (req, res) => {
  res.json(await sessionsFrom(req, config).end(req.params.id));
});
