/** Values that apply if the configuration does not set them. */
export const defaults = {
  basePath: '/auth',
  session: {
    maxAge: 2_592_000 /* seconds: 30 days */,
    updateAge: 86_400 /* seconds: 1 day */,
  },
  secretLength: 32 /* characters; a shorter secret is a problem in production, and causes a warning elsewhere */,
  email: {
    maxAge: 86_400 /* seconds that a mailed link is valid: 1 day */,
    codeMaxAge: 900 /* seconds that a link is valid if its mail also has a code: 15 minutes */,
    codeAttempts: 5 /* wrong codes; with the last one, the link is not valid any more either */,
    resendPause: 60 /* seconds until the same browser can have a mail sent again */,
    shortToken: 16 /* characters; a token of the application with fewer can be guessed */,
    shortMaxAge: 900 /* seconds that a link with such a token is valid at most */,
    codeToken: 22 /* characters of the application's tokens at least if mails have codes: 128 bits in base64url */,
    wrongTokens: { limit: 10, window: 900 } /* for one address, of tokens with fewer than 16 characters */,
  },
  oauth: {
    scope: 'openid profile email',
    checks: ['pkce'],
  },
  rateLimit: {
    credentials: { limit: 20, window: 900 /* seconds: 15 minutes */ },
    email: { limit: 5, window: 900 },
    network: { limit: 100, window: 900 },
  },
} as const;

/** Upper bounds on values that are received and remembered. */
export const limits = {
  body: 262_144 /* bytes of a request's body: 256 KiB */,
  bodyDepth: 64 /* nested objects and lists of a JSON body */,
  callbackUrl: 2048 /* characters */,
  flowAge: 900 /* seconds until a pending sign-in or challenge expires; also in wire/cookie-table.ts */,
  flows: 4 /* pending authorization requests per browser */,
  flowCookie: 2048 /* characters of a check cookie, name and value */,
  returnTo: 512 /* characters of a callback URL that is kept with its flow */,
  requestedParams: 512 /* characters of the parameters of a sign-in that are kept with its flow, as a query */,
  idTokenSkew: 30 /* seconds */,
  mailCookie: 3800 /* characters of the cookie of a pending mail, name and value */,
  sealedCredentialId: 512 /* bytes of a passkey's id that waits in this cookie */,
  keysPerSet: 100 /* keys of a JSON Web Key Set */,
  metadataFresh: 3600 /* seconds */,
  metadataStale: 86_400 /* seconds, while the provider does not respond */,
  proxyHops: 16 /* proxies in front of the application */,
  rateCells: 262_144 /* cells of each kind for the attempts of counters that have no place */,
  rateCounters: 20_000 /* counters of each kind in this process: attempts, mails, networks */,
  rateLimit: 1000 /* times that a counter counts; it keeps the instant of each */,
  rateWindow: 86_400 /* seconds: 1 day */,
  remoteBytes: 1_048_576 /* bytes of a provider's response: 1 MiB */,
  remoteTime: 10_000 /* milliseconds for a provider's whole response */,
  sessionChunks: 15 /* cookies of a session; with more, servers refuse the Cookie header as too long */,
  sessionChunksWarned: 4 /* cookies of a session; more cause a warning */,
} as const;
