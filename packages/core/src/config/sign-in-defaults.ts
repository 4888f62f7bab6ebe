/** Values that hold for sign-ins where the configuration says nothing; a session does without them. */
export const signInDefaults = {
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
} as const;
