import type { LoaderFunctionArgs } from 'react-router';
import { auth } from '../auth.server.ts';

export async function loader({ request, context }: LoaderFunctionArgs) {
  const session = await auth(context);
  const headers = { ...Object.fromEntries(new URL(request.url).searchParams), etag: '"contract"' };
  if (request.headers.get('if-none-match') === '"contract"') return new Response(null, { status: 304, headers });
  return Response.json(session, { headers });
}
