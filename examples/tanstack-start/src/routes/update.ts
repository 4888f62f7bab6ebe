import { createFileRoute } from '@tanstack/react-router';
import { update } from '../auth.server.ts';

export const Route = createFileRoute('/update')({
  server: {
    handlers: {
      POST: async ({ request }) => {
        await update({ name: (await request.formData()).get('name') });
        return new Response(null, { status: 303, headers: { location: '/' } });
      },
    },
  },
});
