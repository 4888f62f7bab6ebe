import { waitForSuite } from '@latchkey/testing/binding-application';
import type { APIRoute } from 'astro';
import { streamed } from '../stream';

export const GET: APIRoute = async ({ locals, url }) => {
  const session = await locals.auth();
  async function* pieces(): AsyncGenerator<string> {
    yield `start ${session?.user?.name}\n`;
    await waitForSuite(url.searchParams.get('wait'));
    yield 'end\n';
  }
  return streamed(pieces());
};
