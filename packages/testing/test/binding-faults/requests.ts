import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Session } from '@latchkey/core/types';
import type { Faults } from '../reference-application.ts';
import { answering, anySession, clearing, cookieLines, type Fault, replacing } from './fault.ts';

/** Reads a body of any size whole. */
const collecting: Faults = {
  async intercept(request, response) {
    if (request.method !== 'POST') return false;
    for await (const _chunk of request);
    response.writeHead(200).end();
    return true;
  },
};

const withHeader = (change: (request: IncomingMessage) => void): Faults => ({
  intercept(request) {
    change(request);
    return false;
  },
});

export const bodyFaults: Fault[] = [
  [
    'reads bodies without a limit, and loses them',
    collecting,
    [
      'an action reads a form',
      'an action reads JSON, and answers with the address if the script asks for it',
      'a form in several pieces is read whole',
      'a form that a parser of the framework has read before signs in',
      'JSON that a parser of the framework has read before signs in',
      'a body that is too large is refused with 413, or cut off',
      'a body without an end is refused with 413, or cut off',
    ],
  ],
  [
    'takes each body for a form',
    withHeader(({ headers }) => {
      if (headers['content-type']) headers['content-type'] = 'application/x-www-form-urlencoded';
    }),
    ['a body of another media type has no fields, and starts no session'],
  ],
  [
    'fails with JSON',
    answering(({ headers }) => headers['content-type'] === 'application/json', 500),
    ['a body that is not of its media type is refused with a status of 4xx'],
  ],
  [
    'does not know HEAD',
    answering(({ method }) => method === 'HEAD', 405),
    ['HEAD of a route answers as GET without a body, and HEAD of an action has no effect'],
  ],
  [
    'lets each origin read',
    {
      head: (response, { headers }) =>
        void (headers.origin && response.setHeader('access-control-allow-origin', headers.origin)),
    },
    ['OPTIONS has no effect, beside the headers of the application'],
  ],
  [
    'takes other methods for POST',
    answering(({ method }) => method === 'DELETE', 200, '', { 'set-cookie': clearing }),
    ['other methods are refused with a status of 4xx, and keep the session'],
  ],
];

/** The setups of the applications that are broken. */
const broken = new WeakSet<object>();

export const streamFaults: Fault[] = [
  [
    'collects the answer',
    {
      intercept(_request, response) {
        const chunks: string[] = [];
        response.write = ((chunk: string) => chunks.push(chunk) > 0) as ServerResponse['write'];
        const { end } = response;
        response.end = ((chunk = '') => end.call(response, chunks.join('') + chunk, 'utf8')) as ServerResponse['end'];
        return false;
      },
    },
    [
      'a session that is read before the first byte renews its cookie, and the answer is still streamed',
      'a session can be read after the first byte',
    ],
  ],
  [
    'loses cookies when it compresses',
    cookieLines((lines, { headers }) => (headers['accept-encoding'] ? [] : lines)),
    ['a client that accepts compressed answers gets the same session and cookies'],
  ],
  [
    'breaks when a visitor leaves',
    {
      intercept(_request, response, { setup }) {
        response.on('close', () => response.writableFinished || broken.add(setup));
        if (broken.has(setup)) response.writeHead(500).end();
        return broken.has(setup);
      },
    },
    [
      'a visitor who leaves before the head does not disturb the next',
      'a visitor who leaves during a streamed answer does not disturb the next',
    ],
  ],
];

/** The session of the last reader, for all requests. */
let current: Session | null = null;

export const errorFaults: Fault[] = [
  [
    'shows the message of errors',
    { shown: String },
    ['an error of the application after the session was read has status 500, and its message is hidden'],
  ],
  [
    'answers errors itself',
    { head: (response) => response.removeHeader('x-error-handler') },
    ["an error of the application reaches the framework's error handler"],
  ],
  [
    'names the problem',
    answering((_, { setup }) => setup.problem === true, 500, 'MissingSecret'),
    ['with a problem in the configuration, actions answer 500 and do not name it'],
  ],
  [
    'shows the session of a failing callback',
    replacing(() => ({ auth: async () => ({ ...anySession, user: { name: 'Broken' } }) })),
    ['the message of a failing callback is hidden'],
  ],
  [
    'decodes cookies and paths without care',
    {
      intercept(request) {
        decodeURIComponent(request.headers.cookie ?? '');
        decodeURIComponent(request.url ?? '');
        return false;
      },
    },
    [
      'malformed cookies give no session and no error',
      'malformed paths below the base path are refused with a status of 4xx',
    ],
  ],
  [
    'keeps the session in a module',
    replacing((visit) => {
      const auth = visit.auth.bind(visit);
      return {
        async auth() {
          current = await auth();
          await new Promise((resolve) => setTimeout(resolve, 5));
          return current;
        },
      };
    }),
    [
      '200 interleaved requests of two visitors show each visitor the own session',
      '20 visitors who sign in at once get their own sessions',
    ],
  ],
];
