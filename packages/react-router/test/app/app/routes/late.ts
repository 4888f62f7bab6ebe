import { callFailure, waitForSuite } from '@latchkey/testing/binding-application';
import type { LoaderFunctionArgs } from 'react-router';
import { auth, signOut } from '../auth.server.ts';
import { textStream } from '../text-stream.server.ts';

export function loader({ request, context }: LoaderFunctionArgs) {
  const query = new URL(request.url).searchParams;
  return textStream(async function* () {
    yield 'start\n';
    await waitForSuite(query.get('wait'));
    yield `${(await auth(context))?.user?.name}\n`;
    if (query.get('call') !== 'sign-out') return;
    const outcome = await signOut(context, { redirect: false }).then(
      () => 'done',
      (error) => callFailure(error).error,
    );
    yield `${outcome}\n`;
  });
}
