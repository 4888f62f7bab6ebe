import { createFileRoute } from '@tanstack/react-router';
import { signOut } from '../auth.server.ts';

export const Route = createFileRoute('/sign-out')({
  server: {
    handlers: {
      POST: async () => {
        const { redirect } = await signOut({ redirectTo: '/', redirect: false });
        return new Response(null, { status: 303, headers: { location: redirect } });
      },
    },
  },
});
