import { createFileRoute } from '@tanstack/react-router';
import { guard } from '../guard.ts';

export const Route = createFileRoute('/api/guarded')({
  server: {
    middleware: [guard],
    handlers: { ANY: ({ context }) => Response.json({ user: context.session?.user?.name }) },
  },
});
