import { headChanges } from '@latchkey/core/binding';
import type { Session } from '@latchkey/core/types';
import type { Faults } from '../reference-application.ts';
import { rightParts } from '../reference-binding.ts';
import { answering, anySession, clearing, cookieLines, type Fault, pathOf, replacing } from './fault.ts';

export const mountFaults: Fault[] = [
  [
    'mounts the actions elsewhere',
    { setup: (setup) => ({ ...setup, basePath: '/elsewhere' }) },
    [
      'the handler answers the actions below its base path',
      'the actions may be at a path of several segments',
      'with the base path `/`, paths that are not actions belong to the application',
    ],
  ],
  [
    'takes paths that begin like the base path',
    answering((_, visit) => /^\/(x\/)?auth?[^/]|^\/x/.test(visit.path) && !visit.path.startsWith('/auth/'), 400),
    ['a path that only begins like the base path belongs to the application'],
  ],
  [
    'passes unknown actions on',
    answering((_, visit) => /\/(nothing|more\/parts|constructor)$/.test(visit.path), 200),
    ['an unknown action is refused, and sets no session cookie'],
  ],
  [
    'does not know a trailing slash',
    answering((_, visit) => pathOf(visit).endsWith('/'), 404),
    ['a trailing slash names the same action'],
  ],
  [
    'compares the path with its query',
    answering((_, visit) => visit.path.includes('?'), 404, '{}'),
    ['a query does not hide an action'],
  ],
  [
    'takes the whole root',
    answering((_, visit) => visit.basePath === '/' && pathOf(visit) === '/double', 400),
    ['with the base path `/`, paths that are not actions belong to the application'],
  ],
  [
    'knows one mount only',
    { setup: ({ secondMount, ...setup }) => setup },
    ['two mounts of one configuration have their own addresses'],
  ],
  [
    "ignores the framework's base path",
    { setup: ({ base, ...setup }) => setup },
    ["the actions are below the framework's own base path"],
  ],
  [
    'believes the host of the request line',
    {
      origin: (request, setup) => /^http:\/\/[^/]+/.exec(request.url ?? '')?.[0] ?? rightParts.origin(request, setup),
    },
    ['a request line with an absolute address names the same action, and its host does not count'],
  ],
];

const remembered = new Map<string, Promise<Session | null>>();

export const sessionFaults: Fault[] = [
  [
    'invents a session',
    { copyOf: (session) => session ?? anySession },
    ['`auth()` returns null without a session cookie'],
  ],
  [
    'finds no session',
    { copyOf: () => null },
    [
      '`auth()` returns the session of a visitor who has signed in',
      '`auth()` returns the session of a store, with database sessions',
      '`auth()` joins the chunks of a large token',
      '`auth()` reads the session once per request',
      'a session that is not due is not renewed',
    ],
  ],
  [
    'trusts each session cookie',
    replacing((_, { headers }) => ({
      auth: async () => (headers.cookie?.includes('session-token') ? anySession : null),
    })),
    [
      '`auth()` returns null for an expired token',
      '`auth()` returns null for a token that cannot be decrypted',
      '`auth()` returns null and keeps the cookie if a callback throws',
    ],
  ],
  [
    'reads the session for each caller',
    { remembered: () => undefined },
    ['`auth()` reads the session once per request'],
  ],
  ['gives all callers one object', { copyOf: (session) => session }, ['each caller of `auth()` gets an own copy']],
  [
    'clears the cookie if the session cannot be read',
    cookieLines((lines, { headers }) => (headers.cookie?.includes('session-token') ? [...lines, clearing] : lines)),
    ['`auth()` returns null and keeps the cookie if a callback throws'],
  ],
  [
    'renews with each read',
    { renew: 'always' },
    [
      'a session that is not due is not renewed',
      'a slow answer without a due session does not undo a sign-out in another tab',
    ],
  ],
];

/** Adds the cookies of a renewed session to each answer. */
const always: Faults['renewal'] = (headers, cookies) => ({
  ...headChanges(headers, { renewed: cookies }),
  add: cookies,
});

export const renewalFaults: Fault[] = [
  [
    'never renews',
    { renewal: (headers) => headChanges(headers, {}) },
    [
      'an answer that reads a due session renews its cookie once',
      'a `Cache-Control` of the application that forbids shared caches stays, and the cookie is renewed',
      'a session that is read before the first byte renews its cookie, and the answer is still streamed',
      'a renewed session cookie is beside the cookies of the application',
    ],
  ],
  [
    'renews twice',
    {
      renewal: (headers, cookies) => ({ ...headChanges(headers, { renewed: cookies }), add: [...cookies, ...cookies] }),
    },
    ['an answer that reads a due session renews its cookie once'],
  ],
  [
    'reads the session of each request',
    { intercept: (_request, _response, visit) => visit.auth().then(() => false) },
    ['an answer that does not read the session does not renew it'],
  ],
  [
    'lets shared caches keep the answer',
    { renewal: (headers, cookies) => ({ ...headChanges(headers, { renewed: cookies }), cacheControl: undefined }) },
    [
      'an answer with a renewed cookie is private',
      'an answer that depends on a session is private, also if the session is not due',
    ],
  ],
  [
    'renews on each answer',
    { renewal: always },
    [
      'an answer that shared caches may store has no session cookie',
      'an answer that a header for proxies lets them store has no session cookie',
      'a session cookie that the application clears itself is not renewed',
      'an answer with status 304 that shared caches may store has no session cookie',
      'a page that shared caches store is the same head for all visitors',
    ],
  ],
  [
    'overwrites `Cache-Control`',
    { renewal: (headers, cookies) => ({ ...headChanges(headers, { renewed: cookies }), cacheControl: 'private' }) },
    [
      'a `Cache-Control` of the application that forbids shared caches stays, and the cookie is renewed',
      'a page that shared caches store is the same head for all visitors',
    ],
  ],
  [
    'cannot read late',
    replacing((visit) => {
      const auth = visit.auth.bind(visit);
      return { auth: () => (visit.response.headersSent ? Promise.reject(new Error('too late')) : auth()) };
    }),
    ['a session that is read after the head was sent is not renewed', 'a session can be read after the first byte'],
  ],
  [
    'keeps the cookies of a session that has changed',
    {
      renewal: (headers, cookies) => ({ ...headChanges(headers, { renewed: cookies }), add: cookies.slice(0, 1) }),
      pendingAfterCall: (pending) => [...pending],
    },
    [
      'a sign-out after the session was read is not undone by the renewal',
      'a change of the user after the session was read is not undone by the renewal',
      'an update after the session was read is not undone by the renewal',
    ],
  ],
  [
    'remembers the session of a cookie',
    replacing((visit, { headers }) => {
      const auth = visit.auth.bind(visit);
      return {
        auth() {
          const token = /session-token=([^;]+)/.exec(headers.cookie ?? '')?.[1] ?? '';
          const known = remembered.get(token) ?? auth();
          if (token) remembered.set(token, known);
          return known;
        },
      };
    }),
    ['a slow answer does not undo a sign-out in another tab, with database sessions'],
  ],
];
