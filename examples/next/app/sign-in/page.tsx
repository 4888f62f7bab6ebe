import { base } from '../../base.ts';
import { signInAtProvider, signInByMail } from '../actions.ts';
import { PasskeyForm } from './passkey-form.tsx';
import { PasswordForm } from './password-form.tsx';

export const metadata = { title: 'Sign in' };

/** Offers each sign-in method. The visitor then returns to the page that the guard names in `callbackUrl`. */
export default async function SignIn({ searchParams }: PageProps<'/sign-in'>) {
  const { callbackUrl, error } = await searchParams;
  const redirectTo = typeof callbackUrl === 'string' ? callbackUrl : `${base}/`;
  return (
    <>
      <h1>Sign in</h1>
      {error && <p role="alert">The sign-in failed. Try again, or use another method.</p>}
      <form action={signInAtProvider}>
        <input type="hidden" name="redirectTo" value={redirectTo} />
        <button type="submit">Sign in with Demo Provider</button>
      </form>
      <PasswordForm redirectTo={redirectTo} />
      <form action={signInByMail}>
        <input type="hidden" name="redirectTo" value={redirectTo} />
        <label>
          Email <input type="email" name="email" autoComplete="email" required />
        </label>
        <button type="submit">Sign in with email</button>
      </form>
      <PasskeyForm redirectTo={redirectTo} />
    </>
  );
}
