import { createFileRoute } from '@tanstack/react-router';
import { auth } from '../auth.server.ts';

export const Route = createFileRoute('/cached')({
  server: {
    handlers: {
      GET: async ({ request }) => {
        const session = await auth();
        const headers = { etag: '"contract"', ...Object.fromEntries(new URL(request.url).searchParams) };
        const isCurrent = request.headers.get('if-none-match') === '"contract"';
        return isCurrent ? new Response(null, { status: 304, headers }) : Response.json(session, { headers });
      },
    },
  },
});
