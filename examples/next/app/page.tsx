import Link from 'next/link';
import { auth } from '../auth.ts';
import { rename, signOutHere } from './actions.ts';
import { SessionInBrowser } from './session-in-browser.tsx';

/** Shows the session as the server reads it and as the browser reads it. */
export default async function Start() {
  const session = await auth();
  return (
    <>
      <section>
        <h1>{session ? (session.user.name ?? session.user.email) : 'You are not signed in'}</h1>
        {session ? (
          <form action={signOutHere}>
            <button type="submit">Sign out</button>
          </form>
        ) : (
          <p>
            <Link href="/sign-in">Sign in</Link>
            {process.env['INBOX_URL'] && <a href={process.env['INBOX_URL']}>Inbox</a>}
          </p>
        )}
      </section>
      <section>
        <h2>On the server</h2>
        <pre id="on-server">{JSON.stringify(session, null, 2)}</pre>
        {session && (
          <form action={rename}>
            <label>
              Name <input name="name" defaultValue={session.user.name ?? ''} required />
            </label>
            <button type="submit">Change on the server</button>
          </form>
        )}
      </section>
      <SessionInBrowser />
    </>
  );
}
