import type { LoaderFunctionArgs } from 'react-router';
import { auth, required } from '../auth.server.ts';

export const middleware = [required()];

async function answer({ context }: LoaderFunctionArgs): Promise<Response> {
  return Response.json({ user: (await auth(context))?.user?.name });
}

export const loader = answer;
export const action = answer;
