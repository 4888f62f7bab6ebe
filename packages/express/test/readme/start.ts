import { ExpressAuth, getSession } from '@latchkey/express';
import GitHub from '@latchkey/express/providers/github';
import express from 'express';

const config = { providers: [GitHub] };
export const app = express();
app.use('/auth', ExpressAuth(config));

app.get('/', async (req, res) => {
  const session = await getSession(req, config);
  if (session) res.type('text').send(`Hello ${session.user?.name}`);
  else res.send('<a href="/auth/signin">Sign in</a>');
});
