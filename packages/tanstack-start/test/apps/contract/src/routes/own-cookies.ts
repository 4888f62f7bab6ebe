import { createFileRoute } from '@tanstack/react-router';
import { deleteCookie, setCookie } from '@tanstack/react-start/server';
import { auth } from '../auth.server.ts';

export const Route = createFileRoute('/own-cookies')({
  server: {
    handlers: {
      GET: async ({ request }) => {
        setCookie('theme', 'dark');
        const session = await auth();
        setCookie('lang', 'en');
        const clear = new URL(request.url).searchParams.get('clear');
        if (clear) deleteCookie(clear);
        return Response.json(session);
      },
    },
  },
});
