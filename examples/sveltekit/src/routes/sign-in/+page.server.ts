import { CredentialsSignin } from '@latchkey/sveltekit';
import { fail } from '@sveltejs/kit';
import { resolve } from '$app/paths';
import { signInError } from '../../../../shared/sign-in-error.ts';
import { signIn } from '../../auth.ts';

/** Returns the requested page, which the guard names in `callbackUrl`, and the message about a failed sign-in. */
export function load({ url }) {
  const { searchParams } = url;
  const error = searchParams.get('error');
  return {
    redirectTo: searchParams.get('callbackUrl') ?? new URL(resolve('/'), url).pathname,
    problem: error === null ? undefined : signInError(error, searchParams.get('reason') ?? undefined),
  };
}

export const actions = {
  default: async (event) => {
    const form = await event.request.formData();
    const typed = { name: String(form.get('login') ?? '').trim(), redirectTo: String(form.get('redirectTo')) };
    // The page then asks for the password. It is the same for known and unknown names.
    if (form.get('providerId') === 'credentials' && !form.has('password')) return { typed };
    try {
      return await signIn(event, form);
    } catch (error) {
      // Throw other errors again: SvelteKit redirects by exceptions.
      if (!(error instanceof CredentialsSignin)) throw error;
      return fail(400, { typed, wrong: signInError(error.type) });
    }
  },
};
