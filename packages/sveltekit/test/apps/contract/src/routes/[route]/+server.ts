import { callFailure, waitForSuite } from '@latchkey/testing/binding-application';
import { error } from '@sveltejs/kit';
import { bindingOf } from '../../auth.ts';

/** The routes of docs/frameworks/contract.md. */
const reads = {
  async session({ locals, url }) {
    const session = await locals.auth();
    await waitForSuite(url.searchParams.get('wait'));
    return Response.json(session);
  },
  async cached({ locals, url }) {
    const session = await locals.auth();
    return Response.json(session, { headers: { ...Object.fromEntries(url.searchParams), etag: '"contract"' } });
  },
  async streamed({ locals, url }) {
    const session = await locals.auth();
    return stream(async function* () {
      yield `start ${session?.user?.name}\n`;
      await waitForSuite(url.searchParams.get('wait'));
      yield 'end\n';
    });
  },
  async late(event) {
    return stream(async function* () {
      yield 'start\n';
      await waitForSuite(event.url.searchParams.get('wait'));
      yield `${(await event.locals.auth())?.user?.name}\n`;
      if (event.url.searchParams.has('call')) yield `${await lateSignOut(event)}\n`;
    });
  },
  async double({ locals }) {
    const first = await locals.auth();
    if (first) first.user.name = 'Changed';
    return Response.json([first, await locals.auth()]);
  },
  async 'own-cookies'({ locals, cookies, url }) {
    cookies.set('theme', 'dark', { path: '/' });
    const session = await locals.auth();
    cookies.set('lang', 'en', { path: '/' });
    const clear = url.searchParams.get('clear');
    if (clear) cookies.delete(clear, { path: '/' });
    return Response.json(session);
  },
  async error({ locals }) {
    await locals.auth();
    throw new Error('a secret detail of the application');
  },
};

const calls = {
  'sign-in': async (event, form) => ({ url: (await bindingOf(event).signIn(event, renamed(form))).url }),
  'sign-out': async (event, form) => ({ url: (await bindingOf(event).signOut(event, form)).url }),
  update: async (event, form) => ({ updated: await bindingOf(event).update(event, { name: form.get('name') }) }),
};

export const GET = (event) => (reads[event.params.route] ?? missing)(event);

export async function POST(event) {
  const call = calls[event.params.route] ?? missing();
  try {
    const before = await event.locals.auth();
    const result = await call(event, await event.request.formData());
    return Response.json({ before, ...result, after: await event.locals.auth() });
  } catch (thrown) {
    return Response.json(callFailure(thrown), { status: 400 });
  }
}

function missing() {
  error(404);
}

/** The form actions of this binding read the provider from `providerId`. */
function renamed(form) {
  if (form.has('provider')) form.set('providerId', form.get('provider'));
  form.delete('provider');
  return form;
}

async function lateSignOut(event) {
  const form = new FormData();
  form.set('redirect', 'false');
  try {
    await bindingOf(event).signOut(event, form);
    return 'done';
  } catch (thrown) {
    return callFailure(thrown).error;
  }
}

function stream(texts) {
  const bytes = ReadableStream.from(texts()).pipeThrough(new TextEncoderStream());
  return new Response(bytes, { headers: { 'content-type': 'text/plain' } });
}
