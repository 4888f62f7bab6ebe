import { createFileRoute, Link } from '@tanstack/react-router';
import { readSession } from '../visitor.ts';

export const Route = createFileRoute('/')({ loader: () => readSession(), component: Start });

/** Shows the session. The sign-in page is not a page of the router, so the link to it loads a document. */
function Start() {
  const { name, json } = Route.useLoaderData();
  return (
    <main className="wide">
      <div className="card">
        <h1>{name ?? 'You are not signed in'}</h1>
        <div className="choices">
          {name ? (
            <form method="post" action="/sign-out">
              <button type="submit" className="button quiet">
                Sign out
              </button>
            </form>
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
        <pre>{json}</pre>
        {name && (
          <form method="post" action="/update">
            <div className="field">
              <label htmlFor="name">Name</label>
              <input id="name" name="name" defaultValue={name} required />
            </div>
            <button type="submit" className="button quiet">
              Change
            </button>
          </form>
        )}
      </section>
    </main>
  );
}
