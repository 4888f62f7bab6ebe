import { waitForSuite } from '@latchkey/testing/binding-application';
import { createFileRoute } from '@tanstack/react-router';
import { auth } from '../auth.server.ts';
import { stream } from '../stream.ts';

export const Route = createFileRoute('/streamed')({
  server: {
    handlers: {
      GET: async ({ request }) => {
        const session = await auth();
        return stream(async (write) => {
          write(`start ${session?.user?.name}\n`);
          await waitForSuite(new URL(request.url).searchParams.get('wait'));
          write('end\n');
        });
      },
    },
  },
});
