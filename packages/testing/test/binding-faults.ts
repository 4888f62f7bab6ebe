import type { IncomingMessage, ServerResponse } from 'node:http';
import { skipCSRFCheck } from '@latchkey/core';
import { cookiesOn, decideCookies } from '@latchkey/core/binding';
import type { Session } from '@latchkey/core/types';
import type { Faults } from './reference-application.ts';
import { type ReferenceVisit, rightParts } from './reference-binding.ts';

/** A broken binding, and the cases that notice it. */
export type Fault = readonly [title: string, faults: Faults, cases: readonly string[]];

const clearing = 'authjs.session-token=; Path=/; Max-Age=0';
const pathOf = (visit: ReferenceVisit): string => visit.path.replace(/\?.*/, '');

/** Answers the requests that a condition selects. */
function answering(
  condition: (request: IncomingMessage, visit: ReferenceVisit) => boolean,
  status: number,
  body = '',
  headers: Record<string, string> = {},
): Faults {
  return {
    intercept(request, response, visit) {
      if (!condition(request, visit)) return false;
      response.writeHead(status, headers).end(body);
      return true;
    },
  };
}

/** Replaces a function of each visit. */
function replacing(change: (visit: ReferenceVisit, request: IncomingMessage) => Partial<ReferenceVisit>): Faults {
  return {
    intercept(request, _response, visit) {
      Object.assign(visit, change(visit, request));
      return false;
    },
  };
}

/** Changes the `Set-Cookie` lines of each answer. */
function cookieLines(change: (lines: string[], request: IncomingMessage) => string[]): Faults {
  return {
    head(response, request) {
      const lines = change(cookiesOn(response), request);
      if (lines.length > 0) response.setHeader('set-cookie', lines);
      else response.removeHeader('set-cookie');
    },
  };
}

const mountFaults: Fault[] = [
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

const anySession = { user: { name: 'Ada' }, expires: new Date(0).toISOString() } as Session;
const remembered = new Map<string, Promise<Session | null>>();

const sessionFaults: Fault[] = [
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
const always: Faults['renewal'] = (headers, cookies) => ({ ...decideCookies(headers, cookies), add: cookies });

const renewalFaults: Fault[] = [
  [
    'never renews',
    { renewal: (headers) => decideCookies(headers, []) },
    [
      'an answer that reads a due session renews its cookie once',
      'a `Cache-Control` of the application that forbids shared caches stays, and the cookie is renewed',
      'a session that is read before the first byte renews its cookie, and the answer is still streamed',
      'a renewed session cookie is beside the cookies of the application',
    ],
  ],
  [
    'renews twice',
    { renewal: (headers, cookies) => ({ ...decideCookies(headers, cookies), add: [...cookies, ...cookies] }) },
    ['an answer that reads a due session renews its cookie once'],
  ],
  [
    'reads the session of each request',
    { intercept: (_request, _response, visit) => visit.auth().then(() => false) },
    ['an answer that does not read the session does not renew it'],
  ],
  [
    'lets shared caches keep the answer',
    { renewal: (headers, cookies) => ({ ...decideCookies(headers, cookies), cacheControl: undefined }) },
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
    { renewal: (headers, cookies) => ({ ...decideCookies(headers, cookies), cacheControl: 'private' }) },
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
      renewal: (headers, cookies) => ({ ...decideCookies(headers, cookies), add: cookies.slice(0, 1) }),
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

/** Changes what the guard decides for visitors without a session. */
function refusing(
  change: (visit: ReferenceVisit, right: ReturnType<typeof rightParts.access>) => ReturnType<typeof rightParts.access>,
): Faults {
  return {
    access(visit, session) {
      const right = rightParts.access(visit, session);
      return session ? right : change(visit, right);
    },
  };
}

const signInOf = (visit: ReferenceVisit, callbackUrl: string, origin = ''): { redirect: string } => ({
  redirect: `${origin}${visit.basePath}/signin?${new URLSearchParams({ callbackUrl })}`,
});

const guardFaults: Fault[] = [
  [
    'writes an origin into `callbackUrl`',
    refusing((visit, right) =>
      'redirect' in right ? signInOf(visit, `http://${visit.request.headers.host}${visit.path}`) : right,
    ),
    [
      'a browser that opens a guarded page is sent to the sign-in page, and comes back to path and query',
      'a browser without `Sec-Fetch-Mode` is recognized by `Accept: text/html`',
      'a guard treats HEAD as GET',
      'of nested guards, one redirects, and both let a session pass',
    ],
  ],
  [
    'does not know old browsers',
    refusing((visit, right) => (visit.request.headers['sec-fetch-mode'] ? right : { status: 401 })),
    ['a browser without `Sec-Fetch-Mode` is recognized by `Accept: text/html`'],
  ],
  [
    'refuses all visitors',
    { access: () => ({ status: 401 }) },
    [
      'a visitor with a session sees the guarded page and uses the guarded API',
      'of nested guards, one redirects, and both let a session pass',
    ],
  ],
  [
    'redirects each request',
    refusing((visit) => signInOf(visit, visit.path)),
    [
      'a guarded API answers 401 without a session, and does not redirect',
      'a script that requests a guarded page gets 401',
      'a guard refuses POST with 401, also if a form is posted',
    ],
  ],
  [
    'guards GET only',
    refusing((visit, right) => (visit.request.method === 'GET' ? right : { pass: true })),
    ['a guard refuses POST with 401, also if a form is posted', 'a guard treats HEAD as GET'],
  ],
  [
    'lets prefetches pass',
    refusing(({ request: { headers } }, right) =>
      headers['sec-purpose'] || headers['purpose'] ? { pass: true } : right,
    ),
    ['a guarded page is not shown to a prefetch without a session, and the session is not renewed for it'],
  ],
  [
    'guards one spelling of the path',
    answering(
      (_, visit) =>
        !visit.path.startsWith('/guarded?') &&
        /g.*uarde?.*/i.test(visit.path) &&
        !/^\/(api\/)?guarded$/.test(visit.path),
      200,
      'Guarded page of undefined',
    ),
    ['no spelling of the path leads around the guard'],
  ],
  [
    'guards the sign-in page',
    refusing((visit, right) => ('pass' in right ? signInOf(visit, visit.path) : right)),
    ["the application's own sign-in page is open, although a guard is on it"],
  ],
  [
    'takes an error for a visitor without a session',
    { readFailed: () => null },
    [
      'a guard fails with an error, not with a redirect, if the configuration has a problem or the host is not trusted',
      'with a problem in the configuration, `auth()` rejects: a visitor is not taken for one without a session',
      'a host that is not trusted is refused by actions and by `auth()`',
    ],
  ],
  [
    'redirects to the host of `Host`',
    refusing((visit, right) =>
      'redirect' in right ? signInOf(visit, visit.path, `http://${visit.request.headers.host}`) : right,
    ),
    ['a guard does not read the host of `Host`'],
  ],
  [
    'redirects to the host of `X-Forwarded-Host`',
    refusing((visit, right) =>
      'redirect' in right ? signInOf(visit, visit.path, `https://${visit.request.headers['x-forwarded-host']}`) : right,
    ),
    ['a guard does not read the host of `X-Forwarded-Host` and `Forwarded`'],
  ],
];

/** Follows each address, as it is or decoded. */
const following = (read: (url: string) => string): Faults => ({
  config: (config) => ({ ...config, callbacks: { ...config.callbacks, redirect: ({ url }) => read(url) } }),
});

const formFaults: Fault[] = [
  [
    'follows each callback URL',
    following((url) => url),
    [
      "a sign-in does not lead to a host behind the site's own as user information",
      'a sign-in does not lead to another origin',
      'a sign-out does not lead to another site',
      '`redirectTo` does not lead to another site',
    ],
  ],
  [
    'shortens callback URLs to their path',
    following((url) => url.replace(/^https?:\/\/[^/]+/, '')),
    ['a sign-in does not lead to `//host`', 'a sign-in does not lead to `/\\host`'],
  ],
  ['decodes callback URLs', following(decodeURIComponent), ['a sign-in does not lead to an encoded host']],
  [
    'does not check forms',
    { config: (config) => ({ ...config, skipCSRFCheck }) },
    [
      'a sign-in form without the token is refused',
      'a sign-in form with the token of another browser is refused',
      'a sign-out form without the token keeps the session',
      'a form of another site is refused, although it has a valid token',
      'a form with `Origin: null` is refused, although it has a valid token',
      'a form of another origin is refused, if the browser does not send `Sec-Fetch-Site`',
      'a form of a sibling domain without the token is refused',
    ],
  ],
  [
    'refuses all forms',
    answering(({ method }) => method === 'POST', 403),
    [
      'a form of the site itself is accepted',
      "the provider's form (`response_mode=form_post`) is accepted from the provider's site",
    ],
  ],
  [
    'lets other sites call',
    { host: (host) => ({ ...host, forms: 'host-checked' }) },
    [
      'a server-side call is refused for forms of other sites, of sibling domains and with `Origin: null`',
      'a server-side call does not end or change the session for forms of other sites',
    ],
  ],
  [
    'signs out with GET',
    answering(({ method }, visit) => method === 'GET' && pathOf(visit).endsWith('/signout'), 200, '', {
      'set-cookie': clearing,
    }),
    ['GET starts no sign-in with a password, and ends no session'],
  ],
];

const callFaults: Fault[] = [
  [
    'remembers the session after a call',
    replacing((visit) => {
      const auth = visit.auth.bind(visit);
      let known: Promise<Session | null> | undefined;
      return { auth: () => (known ??= auth()) };
    }),
    [
      '`signIn` with `redirect: false` returns the address, and the session is visible in the same request',
      '`signOut` with `redirect: false` ends the session in the browser, also for the rest of the request',
      '`update` returns the new session, which is visible in the same request and the next',
    ],
  ],
  [
    'does not redirect',
    {
      host: (host) => ({
        ...rightParts.host(host),
        redirect() {
          throw new Error('the framework has no redirects');
        },
      }),
    },
    [
      '`signIn` redirects to `redirectTo` with the session cookie',
      '`signIn` at a provider leads there, and the sign-in can be finished in the same browser',
      '`signOut` redirects to `redirectTo`, and ends the session in the store',
    ],
  ],
  [
    'loses failures and the sign-in page',
    replacing(() => ({ signIn: async () => '/' })),
    [
      '`signIn` with a wrong password rejects with `CredentialsSignin`, and starts no session',
      '`signIn` without a provider leads to the sign-in page',
    ],
  ],
  [
    'loses late cookies',
    { host: (host) => ({ ...rightParts.host(host), setCookie: host.setCookie ?? (() => undefined) }) },
    ['a call after the head was sent rejects with `CookiesNotWritable`, before it has any effect'],
  ],
];

const cookieFaults: Fault[] = [
  [
    'joins cookies into one line',
    cookieLines((lines) => (lines.length > 0 ? [lines.join(', ')] : [])),
    [
      'each cookie of a sign-in has a `Set-Cookie` line of its own',
      'a renewed session cookie is beside the cookies of the application',
      'the answers of actions keep the cookies and headers that earlier middleware has set',
    ],
  ],
  [
    'replaces the cookies of the application',
    cookieLines((lines) => lines.filter((line) => line.includes('authjs.'))),
    [
      'a renewed session cookie is beside the cookies of the application',
      'the answers of actions keep the cookies and headers that earlier middleware has set',
    ],
  ],
  [
    'shows the session cookie to scripts',
    cookieLines((lines) => lines.map((line) => line.replace(/; *HttpOnly/i, ''))),
    ['the session cookie is `HttpOnly`, `SameSite=Lax` and for all paths'],
  ],
  [
    'does not know `AUTH_URL`',
    { setup: ({ env, ...setup }) => setup },
    [
      'over https the cookies are `Secure` and have the prefixes `__Secure-` and `__Host-`',
      '`AUTH_URL` names the origin, whatever `Host` and forwarded headers say',
    ],
  ],
  [
    'loses the second chunk',
    cookieLines((lines) => lines.filter((line) => !line.startsWith('authjs.session-token.1='))),
    ['a large session is set in chunks, and read again'],
  ],
  [
    'does not clear cookies',
    cookieLines((lines) => lines.filter((line) => !/^[^=]+=;/.test(line))),
    ['a smaller session removes the chunks of a larger one', 'a sign-out removes the session cookie and all chunks'],
  ],
  [
    'has no revision',
    cookieLines((lines) => lines.filter((line) => !line.startsWith('authjs.revision='))),
    ['sign-in and sign-out change the cookie `authjs.revision`, which scripts can read'],
  ],
];

/** Returns the origin of forwarded headers, of which a function reads the host. */
const forwardedBy = (host: (forwarded: string) => string): Faults => ({
  origin(request, setup) {
    const { 'x-forwarded-host': forwarded, 'x-forwarded-proto': protocol } = request.headers;
    if (!setup.trustProxy || !forwarded) return rightParts.origin(request, setup);
    return `${String(protocol ?? 'http').split(',')[0]}://${host(String(forwarded))}`;
  },
});

const proxyFaults: Fault[] = [
  [
    'trusts all proxies',
    { origin: (request) => rightParts.origin(request, { trustProxy: true }) },
    ['forwarded headers do not count unless the framework trusts the proxy'],
  ],
  [
    'trusts no proxy',
    { origin: (request) => rightParts.origin(request, {}) },
    [
      '`X-Forwarded-Host` and `X-Forwarded-Proto` of a trusted proxy name the origin',
      'behind a trusted proxy with https, the visitor signs in with `Secure` cookies and has a session',
    ],
  ],
  [
    'reads the last of a list',
    forwardedBy((host) => host.split(',').at(-1)?.trim() ?? ''),
    ['of lists in forwarded headers, the first element counts'],
  ],
  [
    'loses ports',
    forwardedBy((host) => host.replace(/:\d+$/, '')),
    ['a port in `X-Forwarded-Host` is kept, unless it is the default'],
  ],
  ['accepts each host', forwardedBy((host) => host.replace(/[^\w.:-]/g, '')), ['an invalid host is refused with 400']],
  [
    "counts the proxy's address",
    { clientAddress: ({ socket }) => socket.remoteAddress },
    ['limits count the address that a trusted proxy names'],
  ],
];

/** Reads a body whole, whatever its size. */
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

const bodyFaults: Fault[] = [
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
    ['a body of another media type has no fields, and signs nobody in'],
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

const streamFaults: Fault[] = [
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

const errorFaults: Fault[] = [
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

/** Broken bindings. Each case of the suite notices at least one of them. */
export const bindingFaults: readonly Fault[] = [
  ...mountFaults,
  ...sessionFaults,
  ...renewalFaults,
  ...guardFaults,
  ...formFaults,
  ...callFaults,
  ...cookieFaults,
  ...proxyFaults,
  ...bodyFaults,
  ...streamFaults,
  ...errorFaults,
];
