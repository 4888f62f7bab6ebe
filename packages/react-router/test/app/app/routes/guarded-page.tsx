import { type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { auth, required } from '../auth.server.ts';

export const middleware = [required()];

export async function loader({ context }: LoaderFunctionArgs) {
  return { title: `Guarded page of ${(await auth(context))?.user?.name}` };
}

export default function GuardedPage() {
  return <h1>{useLoaderData<typeof loader>().title}</h1>;
}
