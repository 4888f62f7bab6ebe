import Link from 'next/link';
import { auth } from '../auth.ts';
import { base } from '../base.ts';
import { rename, signOutHere } from './actions.ts';
import { SessionInBrowser } from './session-in-browser.tsx';

/** Shows the session as the server reads it and as the browser reads it. */
export default async function Start() {
  const session = await auth();
  return (
    <main className="wide">
      <div className="card">
        <h1>{session ? (session.user.name ?? session.user.email) : 'You are not signed in'}</h1>
        {session ? (
          <div className="choices">
            {/* A built-in page, which is not a page of Next.js. */}
            <a className="button" href={`${base}/api/auth/account?callbackUrl=${base}/`}>
              Your account
            </a>
            <form action={signOutHere}>
              <button type="submit" className="button quiet">
                Sign out
              </button>
            </form>
          </div>
        ) : (
          <Link href="/sign-in" className="button">
            Sign in
          </Link>
        )}
      </div>
      <section className="card">
        <h2>The session on the server</h2>
        <pre id="on-server">{JSON.stringify(session, null, 2)}</pre>
        {session && (
          <form action={rename}>
            <div className="field">
              <label htmlFor="name-on-server">Name</label>
              <input id="name-on-server" name="name" defaultValue={session.user.name ?? ''} required />
            </div>
            <button type="submit" className="button quiet">
              Change on the server
            </button>
          </form>
        )}
      </section>
      <SessionInBrowser />
    </main>
  );
}
