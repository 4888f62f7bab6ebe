import { callFailure, waitForSuite } from '@latchkey/testing/binding-application';
import type { APIContext, APIRoute } from 'astro';
import { signOut } from '../auth';
import { streamed } from '../stream';

export const GET: APIRoute = (context) => streamed(pieces(context));

async function* pieces(context: APIContext): AsyncGenerator<string> {
  const { searchParams } = context.url;
  yield 'start\n';
  await waitForSuite(searchParams.get('wait'));
  yield `${(await context.locals.auth())?.user?.name}\n`;
  if (searchParams.get('call') !== 'sign-out') return;
  const outcome = await signOut(context, { redirect: false }).then(
    () => 'done',
    (error) => callFailure(error).error,
  );
  yield `${outcome}\n`;
}
