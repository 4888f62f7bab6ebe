import Link from 'next/link';
import { base } from '../../base.ts';
import { useDifferentAccount } from '../actions.ts';

/** The content of the sign-in page for visitors who are signed in. */
export function SignedIn({ user }: { user: { name?: string | null | undefined; email?: string | null | undefined } }) {
  return (
    <main className="signin">
      <div className="card">
        <h1>You are signed in</h1>
        <p className="message">
          You are signed in as <strong>{user.email ?? user.name}</strong>.
        </p>
        <div className="choices">
          <Link href="/" className="button">
            Continue
          </Link>
          {/* A built-in page, which is not a page of Next.js. */}
          <a href={`${base}/api/auth/signin?add`} className="button quiet">
            Add a way to sign in
          </a>
          <form action={useDifferentAccount}>
            <button type="submit" className="button quiet">
              Use a different account
            </button>
          </form>
        </div>
      </div>
    </main>
  );
}
