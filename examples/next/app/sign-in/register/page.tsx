import Link from 'next/link';
import { base } from '../../../base.ts';
import { RegisterForm } from '../passkey.tsx';

export const metadata = { title: 'Create an account' };

/** Creates an account with a passkey. */
export default async function Register({ searchParams }: PageProps<'/sign-in/register'>) {
  const { callbackUrl } = await searchParams;
  const redirectTo = typeof callbackUrl === 'string' ? callbackUrl : `${base}/`;
  return (
    <main className="signin">
      <div className="card">
        <h1>Create an account</h1>
        <p className="message">
          Your device creates a passkey. You sign in with your fingerprint, face or screen lock.
        </p>
        <RegisterForm redirectTo={redirectTo} />
        <p className="links">
          <Link href={`/sign-in?${new URLSearchParams({ callbackUrl: redirectTo })}`}>Sign in instead</Link>
        </p>
      </div>
    </main>
  );
}
