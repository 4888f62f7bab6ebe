/** Upper bounds on what is received and remembered. */
export * as limits from './limits.ts';

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
