import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { AuthConfig } from '@latchkey/core/types';
import {
  BINDING_HEADER,
  type BindingSetup,
  bindingConfig,
  callFailure,
  waitForSuite,
} from '@latchkey/testing/binding-application';
import type { RunningApplication } from '@latchkey/testing/binding-suite';
import { type Parts, Redirect, ReferenceVisit, rightParts, statusOf } from './reference-binding.ts';

/** Changes an answer before it is written, as a faulty binding does. */
export interface Faults extends Partial<Parts> {
  /** Called for each request; `true`: the fault has answered it. */
  intercept?(request: IncomingMessage, response: ServerResponse, visit: ReferenceVisit): boolean | Promise<boolean>;
  /** Called when the head of an answer is complete. */
  head?(response: ServerResponse, request: IncomingMessage): void;
  /** Changes the configuration of each application. */
  config?(config: AuthConfig): AuthConfig;
  /** Changes the setup of each application. */
  setup?(setup: BindingSetup): BindingSetup;
  /** Returns the text that visitors see of an error. */
  shown?(error: unknown): string;
}

/** Serves the test application on `node:http`, with a binding that has these faults. */
export async function startReference(given: BindingSetup, faults: Faults = {}): Promise<RunningApplication> {
  const setup = faults.setup?.(given) ?? given;
  const config = faults.config?.(bindingConfig(setup)) ?? bindingConfig(setup);
  const server = createServer(async (request, response) => {
    if (faults.head) beforeLastHead(response, () => faults.head?.(response, request));
    const visit = new ReferenceVisit(request, response, setup, config, { ...rightParts, ...faults });
    try {
      response.setHeader(BINDING_HEADER, 'contract');
      if (request.headers['x-visit']) response.setHeader('set-cookie', 'visited=yes; Path=/');
      if (await faults.intercept?.(request, response, visit)) return;
      await answer(visit);
    } catch (error) {
      if (error instanceof Redirect) return void response.writeHead(302, { location: error.location }).end();
      if (response.headersSent) return void response.end();
      response.writeHead(statusOf(error), { 'x-error-handler': 'application' });
      response.end(faults.shown?.(error) ?? 'failed');
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const stop = (): void => {
    server.close();
    server.closeAllConnections();
  };
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stop };
}

/** Calls a function when all headers are set, also those that are given to `writeHead`. */
function beforeLastHead(response: ServerResponse, change: () => void): void {
  const { writeHead } = response;
  response.writeHead = ((status: number, headers: Record<string, string | string[]> = {}) => {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    change();
    return writeHead.call(response, status);
  }) as ServerResponse['writeHead'];
}

async function answer(visit: ReferenceVisit): Promise<void> {
  const { request, setup, response } = visit;
  const { base = '', secondMount, parseBodies } = setup;
  if (parseBodies && request.method === 'POST') Object.assign(request, { body: await parsed(request) });
  for (const mount of [visit.basePath, ...(secondMount ? [base + secondMount] : [])]) {
    if (await visit.answer(mount === '/' ? '' : mount)) return;
  }
  const url = new URL(visit.path, 'http://application.invalid');
  const route = url.pathname.startsWith(`${base}/`) ? routes[url.pathname.slice(base.length)] : undefined;
  if (route) await route(visit, url.searchParams);
  else response.writeHead(404).end('not found');
}

async function parsed(request: IncomingMessage): Promise<object> {
  const text = String(Buffer.concat(await request.toArray()));
  return request.headers['content-type']?.includes('json')
    ? JSON.parse(text)
    : Object.fromEntries(new URLSearchParams(text));
}

type Route = (visit: ReferenceVisit, query: URLSearchParams) => Promise<void>;

function json({ response }: ReferenceVisit, body: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

const guarded: Route = async (visit) => {
  const session = await visit.guard();
  if (session !== undefined) visit.response.end(`<h1>Guarded page of ${session?.user?.name}</h1>`);
};

/** A route that calls the binding, and shows the session before and after the call. */
function call(work: (visit: ReferenceVisit, fields: Record<string, string>) => Promise<object>): Route {
  return async (visit) => {
    const { method } = visit.request;
    if (method !== 'POST') return void visit.response.writeHead(405).end();
    const fields = (await parsed(visit.request)) as Record<string, string>;
    try {
      const before = await visit.auth();
      const result = await work(visit, fields);
      json(visit, { before, ...result, after: await visit.auth() });
    } catch (error) {
      json(visit, callFailure(error), 400);
    }
  };
}

const optionsOf = ({ redirect, ...options }: Record<string, string>) => ({
  ...options,
  redirect: redirect !== 'false',
});

const routes: Record<string, Route> = {
  '/session': async (visit, query) => {
    const session = await visit.auth();
    await waitForSuite(query.get('wait'));
    json(visit, session);
  },
  '/guarded': guarded,
  '/guarded/inner': guarded,
  '/api/guarded': async (visit) => {
    const session = await visit.guard();
    if (session !== undefined) json(visit, { user: session?.user?.name });
  },
  '/sign-in': call(async (visit, { provider, ...fields }) => ({
    url: await visit.signIn(provider, optionsOf(fields)),
  })),
  '/sign-out': call(async (visit, fields) => ({ url: await visit.signOut(optionsOf(fields)) })),
  '/update': call(async (visit, { name }) => ({ updated: await visit.update({ name }) })),
  '/cached': async (visit, query) => {
    const session = await visit.auth();
    for (const [name, value] of query) visit.response.setHeader(name, value);
    visit.response.setHeader('etag', '"contract"');
    if (visit.request.headers['if-none-match'] === '"contract"') visit.response.writeHead(304).end();
    else json(visit, session);
  },
  '/streamed': async (visit, query) => {
    const session = await visit.auth();
    visit.response.writeHead(200, { 'content-type': 'text/plain' }).write(`start ${session?.user?.name}\n`);
    await waitForSuite(query.get('wait'));
    visit.response.end('end\n');
  },
  '/late': async (visit, query) => {
    const { response } = visit;
    response.writeHead(200, { 'content-type': 'text/plain' }).write('start\n');
    await waitForSuite(query.get('wait'));
    response.write(`${(await visit.auth())?.user?.name}\n`);
    if (query.get('call') === 'sign-out') {
      const outcome = await visit.signOut({ redirect: false }).then(
        () => 'done',
        (error) => callFailure(error).error,
      );
      response.write(`${outcome}\n`);
    }
    response.end();
  },
  '/double': async (visit) => {
    const first = await visit.auth();
    if (first?.user) first.user.name = 'Changed';
    json(visit, [first, await visit.auth()]);
  },
  '/own-cookies': async (visit, query) => {
    const { response } = visit;
    response.appendHeader('set-cookie', 'theme=dark; Path=/');
    const session = await visit.auth();
    response.appendHeader('set-cookie', 'lang=en; Path=/');
    if (query.has('clear')) response.appendHeader('set-cookie', `${query.get('clear')}=; Path=/; Max-Age=0`);
    json(visit, session);
  },
  '/error': async (visit) => {
    await visit.auth();
    throw new Error('a secret detail of the application');
  },
};
