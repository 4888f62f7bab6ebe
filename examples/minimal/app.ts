import { ExpressAuth, getSession } from '@latchkey/express';
import GitHub from '@latchkey/express/providers/github';
import Google from '@latchkey/express/providers/google';
import express from 'express';

// AUTH_SECRET, AUTH_GITHUB_ID, AUTH_GITHUB_SECRET, AUTH_GOOGLE_ID … come from the environment;
// in production AUTH_URL, too: the address of the site.
const config = { providers: [GitHub, Google] };

const app = express();
app.set('trust proxy', 1); // the number of proxies in front; without one, leave this out
app.use('/auth', ExpressAuth(config));

app.get('/', async (req, res) => {
  const session = await getSession(req, config);
  if (!session) return res.redirect('/auth/signin');
  res.type('text').send(`Hello ${session.user?.name}. To leave, open /auth/signout.`);
});

app.listen(process.env['PORT'] ?? 3000);
