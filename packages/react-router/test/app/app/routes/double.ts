import type { LoaderFunctionArgs } from 'react-router';
import { auth } from '../auth.server.ts';

export async function loader({ context }: LoaderFunctionArgs) {
  const first = await auth(context);
  if (first?.user) first.user.name = 'Changed';
  return Response.json([first, await auth(context)]);
}
