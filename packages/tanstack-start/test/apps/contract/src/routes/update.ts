import { createFileRoute } from '@tanstack/react-router';
import { update } from '../auth.server.ts';
import { call } from '../call.ts';

export const Route = createFileRoute('/update')({
  server: {
    handlers: {
      POST: call(async ({ name }) => ({ updated: await update({ name }) })),
    },
  },
});
