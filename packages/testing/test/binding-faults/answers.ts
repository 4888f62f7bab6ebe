import type { Session } from '@latchkey/core/types';
import type { Faults } from '../reference-application.ts';
import { rightParts } from '../reference-binding.ts';
import { cookieLines, type Fault, replacing } from './fault.ts';

export const callFaults: Fault[] = [
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

export const cookieFaults: Fault[] = [
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
      '`AUTH_URL` names the origin, not `Host` and forwarded headers',
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

export const proxyFaults: Fault[] = [
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
