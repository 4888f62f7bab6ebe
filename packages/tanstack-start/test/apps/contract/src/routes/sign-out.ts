import { createFileRoute } from '@tanstack/react-router';
import { signOut } from '../auth.server.ts';
import { call } from '../call.ts';

export const Route = createFileRoute('/sign-out')({
  server: {
    handlers: {
      POST: call(async ({ redirect, ...options }) => ({
        url: (await signOut({ ...options, ...(redirect && { redirect: redirect !== 'false' }) })).redirect,
      })),
    },
  },
});
