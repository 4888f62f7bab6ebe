'use client';

import { signIn } from '@latchkey/next/webauthn';
import { useActionState } from 'react';

/** Signs in with a passkey, or creates one for a new address. */
export function PasskeyForm({ redirectTo }: { redirectTo: string }) {
  const [problem, action] = useActionState(async (_before: string | undefined, form: FormData) => {
    const email = form.get('email');
    const result = await signIn('passkey', {
      ...(email ? { action: 'register', email } : { action: 'authenticate' }),
      redirectTo,
    });
    return result?.error ? 'The sign-in failed. Try again, or use another method.' : undefined;
  }, undefined);
  return (
    <>
      <form action={action}>
        <button type="submit">Sign in with a passkey</button>
      </form>
      <form action={action}>
        <label>
          Email <input type="email" name="email" autoComplete="email" required />
        </label>
        <button type="submit">Create a passkey</button>
      </form>
      {problem && <p role="alert">{problem}</p>}
    </>
  );
}
