import { authenticate, ExpressAuth, type ExpressAuthConfig } from '@latchkey/express';
import GitHub from '@latchkey/express/providers/github';
import express, { type ErrorRequestHandler } from 'express';

const config = {
  providers: [GitHub],
  callbacks: {
    session: ({ session, token }) => ({ ...session, isOwner: token.sub === process.env['OWNER'] }),
  },
} satisfies ExpressAuthConfig;

export const app = express();
app.use('/auth', ExpressAuth(config));

app.get('/', authenticate(config), (_req, res) => {
  res.json(res.locals.session?.user ?? null);
});

app.get('/account', authenticate(config, { required: true }), (_req, res) => {
  const { user, isOwner } = res.locals.session;
  res.json({ user, isOwner });
});

const onError: ErrorRequestHandler = (error, _req, res, next) => {
  if (res.headersSent) return next(error);
  res.status(error.status ?? 500).json({ message: error.expose ? error.message : 'Something went wrong.' });
};
app.use(onError);
