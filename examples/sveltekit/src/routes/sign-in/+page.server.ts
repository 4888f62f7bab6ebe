import { CredentialsSignin } from '@latchkey/sveltekit';
import { fail } from '@sveltejs/kit';
import { resolve } from '$app/paths';
import { signIn } from '../../auth.ts';

/** Returns the requested page, which the guard names in `callbackUrl`, and the message about a failed sign-in. */
export function load({ url }) {
  return {
    redirectTo: url.searchParams.get('callbackUrl') ?? new URL(resolve('/'), url).pathname,
    error: url.searchParams.get('error') ? 'The sign-in failed. Try again, or use another method.' : undefined,
  };
}

export const actions = {
  default: async (event) => {
    const form = await event.request.formData();
    try {
      return await signIn(event, form);
    } catch (error) {
      // Throw other errors again: SvelteKit redirects by exceptions.
      if (!(error instanceof CredentialsSignin)) throw error;
      return fail(400, { wrong: 'Login or password is wrong.', redirectTo: String(form.get('redirectTo')) });
    }
  },
};
