import { callFailure, waitForSuite } from '@latchkey/testing/binding-application';
import { createFileRoute } from '@tanstack/react-router';
import { auth, signOut } from '../auth.server.ts';
import { stream } from '../stream.ts';

export const Route = createFileRoute('/late')({
  server: {
    handlers: {
      GET: ({ request }) =>
        stream(async (write) => {
          const { searchParams } = new URL(request.url);
          write('start\n');
          await waitForSuite(searchParams.get('wait'));
          write(`${(await auth())?.user?.name}\n`);
          if (searchParams.get('call') !== 'sign-out') return;
          const outcome = await signOut({ redirect: false }).then(
            () => 'done',
            (error) => callFailure(error).error,
          );
          write(`${outcome}\n`);
        }),
    },
  },
});
