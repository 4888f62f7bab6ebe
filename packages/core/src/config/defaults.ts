/** Upper bounds on what is received and remembered. */
export * as limits from './limits.ts';

/** Values that hold where the configuration says nothing; those of sign-ins are in `sign-in-defaults.ts`. */
export const defaults = {
  basePath: '/auth',
  session: {
    maxAge: 2_592_000 /* s: 30 days */,
    updateAge: 86_400 /* s: 1 day */,
  },
  secretLength: 32 /* characters, shorter ones warn */,
} as const;
