import { authenticate, ExpressAuth, getSession } from '@latchkey/express';
import { BINDING_HEADER, type BindingSetup, bindingConfig, waitForSuite } from '@latchkey/testing/binding-application';
import type express5 from 'express';
import type { ErrorRequestHandler, Express, Request, Response } from 'express';

/** The test application of the bindings on Express 4 and 5; its routes are those of docs/frameworks/contract.md. */
export function contractApplication(express: typeof express5, setup: BindingSetup): Express {
  const config = bindingConfig(setup);
  const env = setup.env ?? {};
  const app = express();
  if (setup.trustProxy) app.set('trust proxy', true);
  app.use((request, response, next) => {
    response.setHeader(BINDING_HEADER, 'contract');
    if (request.headers['x-visit']) response.cookie('visited', 'yes');
    next();
  });
  if (setup.parseBodies) app.use(express.urlencoded({ extended: false }), express.json());

  const shop = express.Router();
  app.use(setup.base ?? '/', shop);
  const auth = (request: Request) => getSession(request, config, env);
  const wait = (request: Request) => waitForSuite(request.query['wait']);
  const route = (path: string, answer: (request: Request, response: Response) => Promise<unknown>) =>
    shop.get(path, (request, response, next) => void answer(request, response).catch(next));

  shop.use(setup.basePath ?? '/auth', ExpressAuth(config, env));
  if (setup.secondMount) shop.use(setup.secondMount, ExpressAuth(config, env));

  route('/session', async (request, response) => {
    const session = await auth(request);
    await wait(request);
    response.json(session);
  });

  const guard = authenticate(config, { required: true }, env);
  shop.all(['/guarded', '/guarded/inner'], guard);
  shop.all('/guarded/inner', guard);
  shop.all(['/guarded', '/guarded/inner'], (_request, response) => {
    response.send(`<h1>Guarded page of ${response.locals['session']?.user?.name}</h1>`);
  });
  shop.all('/api/guarded', guard, (_request, response) => {
    response.json({ user: response.locals['session']?.user?.name });
  });

  route('/cached', async (request, response) => {
    const session = await auth(request);
    response.set({ ...request.query, etag: '"contract"' });
    response.json(session);
  });

  route('/streamed', async (request, response) => {
    const session = await auth(request);
    response.type('text').write(`start ${session?.user?.name}\n`);
    await wait(request);
    response.end('end\n');
  });

  route('/late', async (request, response) => {
    response.type('text').write('start\n');
    await wait(request);
    const session = await auth(request);
    response.end(`${session?.user?.name}\n`);
  });

  route('/double', async (request, response) => {
    const first = await auth(request);
    if (first?.user) first.user.name = 'Changed';
    response.json([first, await auth(request)]);
  });

  route('/own-cookies', async (request, response) => {
    response.cookie('theme', 'dark');
    const session = await auth(request);
    response.cookie('lang', 'en');
    if (request.query['clear']) response.clearCookie(String(request.query['clear']));
    response.json(session);
  });

  route('/error', async (request) => {
    await auth(request);
    throw new Error('a secret detail of the application');
  });

  const reportError: ErrorRequestHandler = (error, _request, response, _next) => {
    response
      .status(error.status ?? 500)
      .set('x-error-handler', 'application')
      .type('text')
      .send('failed');
  };
  return app.use(reportError);
}
