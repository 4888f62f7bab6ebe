// @ts-nocheck
// An application as the public documentation of @auth/express describes it. The test that starts it changes only the
// targets of its imports. The path is that of Express 4; the test passes that of Express 5.
import { ExpressAuth } from '@auth/express';
import express from 'express';
import { authConfig } from './auth.config.ts';
import { authenticatedUser, authSession } from './middleware/auth.middleware.ts';
import { router as protectedRoutes } from './routes/protected.route.ts';

const app = express();

// If app is served through a proxy, trust the proxy to allow HTTPS protocol to be detected
// https://expressjs.com/en/guide/behind-proxies.html
app.set('trust proxy', true);
app.use(process.env.AUTH_MOUNT ?? '/auth/*', ExpressAuth(authConfig));

app.use(authSession);

app.get('/', (_req, res) => {
  const { session } = res.locals;
  res.json({ user: session?.user ?? null });
});

app.get('/login', (_req, res) => {
  res.send('<a href="/auth/signin">Sign in</a>');
});

app.get('/profile', authenticatedUser, (_req, res) => {
  const { session } = res.locals;
  res.json({ user: session.user, provider: session.provider });
});

app.use('/protected', protectedRoutes);

const server = app.listen(Number(process.env.PORT ?? 3000), '127.0.0.1', () => {
  console.log(`listening on ${server.address().port}`);
});
