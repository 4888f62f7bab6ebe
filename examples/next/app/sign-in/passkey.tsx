'use client';

import { signIn } from '@latchkey/next/webauthn';
import { useActionState, useEffect, useSyncExternalStore } from 'react';

const failed = 'That did not work. Try again, or choose another way to sign in.';

/** Signs in with a passkey. The browser also offers passkeys in the field for the login. */
export function PasskeyButton({ redirectTo }: { redirectTo: string }) {
  const [problem, action] = useActionState(async () => {
    const result = await signIn('passkey', { action: 'authenticate', redirectTo });
    return result?.error ? failed : undefined;
  }, undefined);
  useEffect(() => {
    const offer = new AbortController();
    signIn('passkey', { autofill: true, redirectTo, signal: offer.signal }).catch(() => {
      // The visitor has not asked for the offer, and can use the button.
    });
    return () => offer.abort();
  }, [redirectTo]);
  return (
    <form className="passkey" action={action}>
      <button type="submit" className="button quiet" disabled={!useIsHydrated()}>
        Sign in with a passkey
      </button>
      <Status text={problem} />
    </form>
  );
}

/** Creates a passkey, and the user of a new address with it. */
export function RegisterForm({ redirectTo }: { redirectTo: string }) {
  const [problem, action] = useActionState(async (_before: string | undefined, form: FormData) => {
    const result = await signIn('passkey', { action: 'register', email: String(form.get('email')), redirectTo });
    return result?.error ? failed : undefined;
  }, undefined);
  return (
    <form className="passkey" action={action}>
      <div className="field">
        <label htmlFor="email">Email</label>
        <input id="email" type="email" name="email" autoComplete="email" required />
      </div>
      <button type="submit" className="button" disabled={!useIsHydrated()}>
        Create a passkey
      </button>
      <Status text={problem} />
    </form>
  );
}

function Status({ text }: { text: string | undefined }) {
  return (
    <>
      <p className="status" role="status">
        {text}
      </p>
      <noscript>
        <p className="message">This needs JavaScript, which is off in your browser.</p>
      </noscript>
    </>
  );
}

/** Passkeys need scripts. Before hydration, the buttons could not do anything. */
function useIsHydrated(): boolean {
  return useSyncExternalStore(
    () => () => undefined,
    () => true,
    () => false,
  );
}
