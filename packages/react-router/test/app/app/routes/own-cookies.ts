import type { LoaderFunctionArgs } from 'react-router';
import { auth } from '../auth.server.ts';

export async function loader({ request, context }: LoaderFunctionArgs) {
  const clear = new URL(request.url).searchParams.get('clear');
  const response = Response.json(await auth(context));
  response.headers.append('set-cookie', 'theme=dark; Path=/');
  response.headers.append('set-cookie', 'lang=en; Path=/');
  if (clear) response.headers.append('set-cookie', `${clear}=; Path=/; Max-Age=0`);
  return response;
}
