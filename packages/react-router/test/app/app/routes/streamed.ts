import { waitForSuite } from '@latchkey/testing/binding-application';
import type { LoaderFunctionArgs } from 'react-router';
import { auth } from '../auth.server.ts';
import { textStream } from '../text-stream.server.ts';

export async function loader({ request, context }: LoaderFunctionArgs) {
  const session = await auth(context);
  return textStream(async function* () {
    yield `start ${session?.user?.name}\n`;
    await waitForSuite(new URL(request.url).searchParams.get('wait'));
    yield 'end\n';
  });
}
