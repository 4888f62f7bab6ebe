import type { LoaderFunctionArgs } from 'react-router';
import { auth } from '../auth.server.ts';

export async function loader({ context }: LoaderFunctionArgs) {
  await auth(context);
  throw new Error('a secret detail of the application');
}

export default function Never() {
  return null;
}
