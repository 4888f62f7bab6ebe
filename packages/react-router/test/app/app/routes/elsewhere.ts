import type { LoaderFunctionArgs } from 'react-router';
import { handler, second } from '../auth.server.ts';

async function answer(args: LoaderFunctionArgs): Promise<Response> {
  try {
    return await handler(args);
  } catch (error) {
    if (!second || !(error instanceof Response)) throw error;
    return second.handler(args);
  }
}

export const loader = answer;
export const action = answer;
