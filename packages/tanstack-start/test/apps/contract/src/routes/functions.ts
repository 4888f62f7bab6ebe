import { createFileRoute } from '@tanstack/react-router';
import { guardedName, leave, visitorName } from '../functions.ts';

/** The addresses of the server functions. */
export const Route = createFileRoute('/functions')({
  server: {
    handlers: {
      GET: () => Response.json({ guardedName: guardedName.url, visitorName: visitorName.url, leave: leave.url }),
    },
  },
});
