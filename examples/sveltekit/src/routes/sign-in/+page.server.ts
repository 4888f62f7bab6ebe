import { CredentialsSignin } from '@latchkey/sveltekit';
import { fail } from '@sveltejs/kit';
import { resolve } from '$app/paths';
import { signIn } from '../../auth.ts';

/** The page that was asked for, which the guard names, and what went wrong before. */
export function load({ url }) {
  return {
    redirectTo: url.searchParams.get('callbackUrl') ?? new URL(resolve('/'), url).pathname,
    error: url.searchParams.get('error') ? 'That did not work. Try again, or another way.' : undefined,
  };
}

export const actions = {
  default: async (event) => {
    const form = await event.request.formData();
    try {
      return await signIn(event, form);
    } catch (error) {
      // Anything else is none of ours: Kit's redirects are thrown, too.
      if (!(error instanceof CredentialsSignin)) throw error;
      return fail(400, { wrong: 'Login or password is wrong.', redirectTo: String(form.get('redirectTo')) });
    }
  },
};
