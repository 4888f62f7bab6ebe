/** Values that hold where the configuration says nothing. */
export const defaults = {
  basePath: '/auth',
  session: {
    maxAge: 2_592_000 /* s: 30 days */,
    updateAge: 86_400 /* s: 1 day */,
  },
  email: {
    maxAge: 86_400 /* s a mailed link is valid: 1 day */,
  },
  oauth: {
    scope: 'openid profile email',
    checks: ['pkce'],
  },
  rateLimit: {
    credentials: { limit: 20, window: 900 /* s: 15 minutes */ },
    email: { limit: 5, window: 900 },
    network: { limit: 100, window: 900 },
  },
  secretLength: 32 /* characters, shorter ones warn */,
} as const;

/** Upper bounds on what is received and remembered. */
export const limits = {
  body: 262_144 /* bytes: 256 KiB */,
  bodyDepth: 64 /* objects and lists inside one another */,
  callbackUrl: 2048 /* characters */,
  flowAge: 900 /* s an authorization request may stay unanswered */,
  flows: 4 /* authorization requests pending in one browser */,
  flowCookie: 2048 /* characters of a check cookie, name and value */,
  returnTo: 512 /* characters of a return address kept with its flow */,
  idTokenSkew: 30 /* s */,
  keysPerSet: 100,
  memoEntries: 256 /* metadata, key sets and answers kept of providers, each */,
  metadataFresh: 3600 /* s */,
  metadataStale: 86_400 /* s, while the provider is down */,
  proxyHops: 16 /* proxies in front of the application */,
  rateCounters: 20_000 /* of attempts and mails, kept in this process */,
  rateLimit: 1000 /* times that a counter counts: it keeps the instant of each */,
  rateWindow: 86_400 /* s: 1 day */,
  remoteBytes: 1_048_576 /* 1 MiB */,
  remoteTime: 10_000 /* ms, for one answer in all */,
  sessionChunks: 15 /* written at most: more would make a Cookie header that is too long to be read */,
  sessionChunksWarned: 4,
} as const;
