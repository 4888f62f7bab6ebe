import { createFileRoute } from '@tanstack/react-router';
import { auth } from '../auth.server.ts';

export const Route = createFileRoute('/double')({
  server: {
    handlers: {
      GET: async () => {
        const first = await auth();
        if (first?.user) first.user.name = 'Changed';
        return Response.json([first, await auth()]);
      },
    },
  },
});
