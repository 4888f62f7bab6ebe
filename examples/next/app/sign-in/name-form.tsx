'use client';

import { type ReactNode, useActionState, useEffect, useRef } from 'react';
import { signInByMail, signInWithName } from '../actions.ts';

/** Properties of {@link NameForm}. */
interface NameFormProps {
  redirectTo: string;
  /** The sign-in page. It is loaded again to change the name. */
  changeUrl: string;
  /** Why the last sign-in failed. */
  problem: string | undefined;
  /** The other ways to sign in. */
  children: ReactNode;
}

/** Asks for a login or an address, and then for the password. Both steps also work without scripts. */
export function NameForm({ redirectTo, changeUrl, problem, children }: NameFormProps) {
  const [typed, action, isPending] = useActionState(signInWithName, {});
  const passwordField = useRef<HTMLInputElement>(null);
  // After a wrong password the field is the same, so the browser does not focus it again.
  useEffect(() => {
    if (typed.problem) passwordField.current?.focus();
  }, [typed]);
  if (typed.name === undefined) {
    return (
      <>
        <h1>Sign in</h1>
        {problem && (
          <p className="error" role="alert">
            {problem}
          </p>
        )}
        <div className="ways">
          <form className="identifier" action={action}>
            <div className="field">
              <label htmlFor="login">Email or Login</label>
              <input
                id="login"
                name="login"
                autoComplete="username webauthn"
                autoCapitalize="none"
                spellCheck={false}
                maxLength={254}
                required
                // biome-ignore lint/a11y/noAutofocus: the page has this purpose only
                autoFocus={!problem}
              />
            </div>
            <button type="submit" className="button" disabled={isPending}>
              Continue
            </button>
          </form>
          {children}
        </div>
      </>
    );
  }
  return (
    <>
      <h1>Enter your password</h1>
      <form className="identifier" action={action}>
        {typed.problem && (
          <p className="error" role="alert" id="password-error">
            {typed.problem}
          </p>
        )}
        <input type="hidden" name="redirectTo" value={redirectTo} />
        <div className="field">
          <label htmlFor="login">Login</label>
          <input id="login" name="login" value={typed.name} autoComplete="username" readOnly />
        </div>
        <p className="hint">
          <a href={changeUrl} aria-label="Change the email or login">
            Change
          </a>
        </p>
        <div className="field">
          <label htmlFor="password">Password</label>
          <input
            ref={passwordField}
            id="password"
            type="password"
            name="password"
            autoComplete="current-password"
            required
            // biome-ignore lint/a11y/noAutofocus: the page has this purpose only
            autoFocus
            aria-invalid={typed.problem ? true : undefined}
            aria-describedby={typed.problem && 'password-error'}
          />
        </div>
        <button type="submit" className="button" disabled={isPending}>
          Sign in
        </button>
      </form>
      {typed.name.includes('@') && (
        <form action={signInByMail}>
          <input type="hidden" name="redirectTo" value={redirectTo} />
          <input type="hidden" name="email" value={typed.name} />
          <button type="submit" className="button quiet">
            Email me a link
          </button>
        </form>
      )}
    </>
  );
}
