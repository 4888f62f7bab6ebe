import { BINDING_HEADER } from '@latchkey/testing/binding-application';
import { error, redirect } from '@sveltejs/kit';
import { bindingOf } from './auth.ts';

export async function handle({ event, resolve }) {
  const answer = await bindingOf(event).handle({ event, resolve: (guarded) => guard(guarded, resolve) });
  const response = new Response(answer.body, answer);
  response.headers.set(BINDING_HEADER, 'contract');
  if (event.request.headers.has('x-visit')) response.headers.append('set-cookie', 'visited=yes; Path=/');
  return response;
}

/** Guards routes, not paths. */
async function guard(event, resolve) {
  const isGuarded = event.route.id?.startsWith('/guarded') || event.route.id === '/api/guarded';
  const { signInPage = `${event.platform.setup.basePath ?? '/auth'}/signin` } = event.platform.setup;
  if (!isGuarded || event.url.pathname === signInPage || (await event.locals.auth())) return resolve(event);
  if (!opensPage(event.request)) error(401);
  const callbackUrl = event.url.pathname + event.url.search;
  redirect(302, `${signInPage}?${new URLSearchParams({ callbackUrl })}`);
}

function opensPage({ method, headers }) {
  const mode = headers.get('sec-fetch-mode');
  const opens = mode === null ? headers.get('accept')?.includes('text/html') : mode === 'navigate';
  return opens && ['GET', 'HEAD'].includes(method);
}

/** Kit's own would print every error that a case provokes. */
export const handleError = () => ({ message: 'failed' });
