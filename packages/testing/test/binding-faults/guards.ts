import { skipCSRFCheck } from '@latchkey/core';
import type { Faults } from '../reference-application.ts';
import { type ReferenceVisit, rightParts } from '../reference-binding.ts';
import { answering, clearing, type Fault, pathOf } from './fault.ts';

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

export const guardFaults: Fault[] = [
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

export const formFaults: Fault[] = [
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
