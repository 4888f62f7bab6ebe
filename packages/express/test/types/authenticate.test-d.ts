import { authenticate, type ExpressAuthConfig, type Session, type SessionLocals } from '@latchkey/express';
import express, { type Response } from 'express';
import { exactly } from '../../../core/test/types/assert.ts';

const config = {
  providers: [],
  callbacks: { session: ({ session, token }) => ({ ...session, role: token.sub === '1' ? 'admin' : 'user' }) },
} satisfies ExpressAuthConfig;

const app = express();
const router = express.Router();

// Handlers beside it know what `callbacks.session` returns.
app.get('/', authenticate(config), (_request, response) => {
  exactly<string | undefined>()(response.locals.session?.role);
  exactly<Session['user'] | undefined>()(response.locals.session?.user);
  response.json(response.locals.session?.expires);
});
router.post('/:id', authenticate(config), (request, response, next) => {
  exactly<string | undefined>()(response.locals.session?.role);
  exactly<string>()(request.params.id);
  next();
});

// Where it is required, it is there.
app.get('/private', authenticate(config, { required: true }), (_request, response) => {
  exactly<string>()(response.locals.session.role);
  // @ts-expect-error there is no such member
  response.locals.session.colour;
});
app.get('/private', authenticate(config, { required: false }), (_request, response) => {
  // @ts-expect-error it may be null
  response.locals.session.role;
});
declare const sometimes: boolean;
app.get('/private', authenticate(config, { required: sometimes }), (_request, response) => {
  exactly<string | undefined>()(response.locals.session?.role);
});

// Without a callback it is the Session of the application.
const plain: ExpressAuthConfig = config;
app.get('/plain', authenticate(plain), (_request, response) => {
  exactly<Session | null>()(response.locals.session);
});

// For the whole site, handlers elsewhere name the type.
app.use(authenticate(config));
app.use('/private', authenticate(config, { required: true }));
router.use(authenticate(config, {}, { AUTH_SECRET: 'x' }));
type Locals = SessionLocals<{ role: string }>;
app.get('/', (_request, response: Response<unknown, Locals>) => {
  exactly<string | undefined>()(response.locals.session?.role);
});

// Kept for several routes.
const guard = authenticate(config, { required: true });
app.get(['/a', '/b'], guard, (_request, response) => {
  exactly<string>()(response.locals.session.role);
});
