import { CredentialsSignin } from '@latchkey/sveltekit';
import { fail } from '@sveltejs/kit';
import { signIn } from '../../auth.ts';

export const actions = {
  /** The form action itself. */
  plain: signIn,
  /** Turns an error into the page's answer. */
  told: async (event) => {
    try {
      return await signIn(event);
    } catch (error) {
      if (error instanceof CredentialsSignin) return fail(400, { code: error.code });
      throw error;
    }
  },
  /** The body has been read before, and the session is asked for afterwards. */
  read: async (event) => {
    const before = await event.locals.auth();
    const form = await event.request.formData();
    form.set('redirect', 'false');
    const { url } = await signIn(event, form);
    return { url, before, after: await event.locals.auth() };
  },
};
