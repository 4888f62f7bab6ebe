import { Form, Link } from 'react-router';
import { auth } from '../auth.server.ts';
import type { Route } from './+types/home.ts';

export const meta = () => [{ title: 'React Router example' }];

export const loader = async ({ context }: Route.LoaderArgs) => ({ session: await auth(context) });

/** Shows the session. The sign-in page is not a page of React Router, so the link to it loads a document. */
export default function Home({ loaderData: { session } }: Route.ComponentProps) {
  const name = session?.user?.name ?? session?.user?.email;
  return (
    <main className="wide">
      <div className="card">
        <h1>{name ?? 'You are not signed in'}</h1>
        <div className="choices">
          {session ? (
            <Form method="post" action="/sign-out">
              <button type="submit" className="button quiet">
                Sign out
              </button>
            </Form>
          ) : (
            <a className="button" href="/auth/signin?callbackUrl=/">
              Sign in
            </a>
          )}
          <Link className="button quiet" to="/private">
            Private page
          </Link>
        </div>
      </div>
      <section className="card">
        <h2>The session</h2>
        <pre>{JSON.stringify(session, null, 2)}</pre>
        {session && (
          <Form method="post" action="/update">
            <div className="field">
              <label htmlFor="name">Name</label>
              <input id="name" name="name" defaultValue={name ?? ''} required />
            </div>
            <button type="submit" className="button quiet">
              Change
            </button>
          </Form>
        )}
      </section>
    </main>
  );
}
