import { waitForSuite } from '@latchkey/testing/binding-application';
import { createFileRoute } from '@tanstack/react-router';
import { auth } from '../auth.server.ts';

export const Route = createFileRoute('/session')({
  server: {
    handlers: {
      GET: async ({ request }) => {
        const session = await auth();
        await waitForSuite(new URL(request.url).searchParams.get('wait'));
        return Response.json(session);
      },
    },
  },
});
