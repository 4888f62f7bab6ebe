'use client';

import { useActionState } from 'react';
import { signInWithPassword } from '../actions.ts';

/** The form for login and password, with its error message. It also works without scripts. */
export function PasswordForm({ redirectTo }: { redirectTo: string }) {
  const [problem, action, isPending] = useActionState(signInWithPassword, undefined);
  return (
    <form action={action}>
      <input type="hidden" name="redirectTo" value={redirectTo} />
      <label>
        Login <input name="login" autoComplete="username" placeholder="demo" required />
      </label>
      <label>
        Password{' '}
        <input type="password" name="password" autoComplete="current-password" placeholder="password" required />
      </label>
      <button type="submit" disabled={isPending}>
        Sign in with a password
      </button>
      {problem && <p role="alert">{problem}</p>}
    </form>
  );
}
