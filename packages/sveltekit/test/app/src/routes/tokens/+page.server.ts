import { TokensUnavailable } from '@latchkey/sveltekit';
import type { RequestEvent } from '@sveltejs/kit';
import { tokens } from '../../auth.ts';

async function tokenOrCode(event: RequestEvent) {
  try {
    return { token: (await tokens(event).get('fake')).accessToken };
  } catch (error) {
    if (error instanceof TokensUnavailable) return { code: error.code };
    throw error;
  }
}

/** With `?late`, the token is asked for when the answer is on its way already. */
export async function load(event) {
  if (!event.url.searchParams.has('late')) return tokenOrCode(event);
  const late = new Promise((resolve) => setTimeout(resolve, 20)).then(() => tokenOrCode(event));
  return { late };
}
