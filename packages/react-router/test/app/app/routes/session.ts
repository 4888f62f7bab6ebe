import { waitForSuite } from '@latchkey/testing/binding-application';
import type { LoaderFunctionArgs } from 'react-router';
import { auth } from '../auth.server.ts';

export async function loader({ request, context }: LoaderFunctionArgs) {
  const session = await auth(context);
  await waitForSuite(new URL(request.url).searchParams.get('wait'));
  return Response.json(session);
}
