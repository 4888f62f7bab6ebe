import { createFileRoute } from '@tanstack/react-router';
import { signIn } from '../auth.server.ts';
import { call } from '../call.ts';

export const Route = createFileRoute('/sign-in')({
  server: {
    handlers: {
      POST: call(async ({ provider, redirect, ...options }) => ({
        url: await signIn(provider, { ...options, ...(redirect && { redirect: redirect !== 'false' }) }),
      })),
    },
  },
});
