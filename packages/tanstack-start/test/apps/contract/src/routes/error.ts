import { createFileRoute } from '@tanstack/react-router';
import { auth } from '../auth.server.ts';

export const Route = createFileRoute('/error')({
  server: {
    handlers: {
      GET: async () => {
        await auth();
        throw new Error('a secret detail of the application');
      },
    },
  },
});
