import Link from 'next/link';
import { signInError } from '../../../shared/sign-in-error.ts';
import { auth } from '../../auth.ts';
import { base } from '../../base.ts';
import { signInAtProvider } from '../actions.ts';
import { NameForm } from './name-form.tsx';
import { PasskeyButton } from './passkey.tsx';
import { SignedIn } from './signed-in.tsx';

export const metadata = { title: 'Sign in' };

/**
 * The sign-in page, in the layout of the built-in one: one field for a login or an address, then the other ways. The
 * visitor then returns to the page that the guard names in `callbackUrl`.
 */
export default async function SignIn({ searchParams }: PageProps<'/sign-in'>) {
  const { callbackUrl, error, reason } = await searchParams;
  const redirectTo = typeof callbackUrl === 'string' ? callbackUrl : `${base}/`;
  const session = await auth();
  if (session && !error) return <SignedIn user={session.user} />;
  const here = new URLSearchParams({ callbackUrl: redirectTo });
  return (
    <main className="signin">
      <div className="card">
        <NameForm redirectTo={redirectTo} changeUrl={`${base}/sign-in?${here}`} problem={messageOf(error, reason)}>
          <PasskeyButton redirectTo={redirectTo} />
          <p className="or">or</p>
          <div className="providers">
            <form action={signInAtProvider}>
              <input type="hidden" name="redirectTo" value={redirectTo} />
              <button type="submit" className="button quiet">
                <span className="label">Sign in with Demo Provider</span>
              </button>
            </form>
          </div>
          <p className="links">
            <Link href={`/sign-in/register?${here}`}>Create an account</Link>
          </p>
        </NameForm>
      </div>
    </main>
  );
}

function messageOf(error: string | string[] | undefined, reason: string | string[] | undefined): string | undefined {
  return error === undefined ? undefined : signInError(String(error), String(reason));
}
