import { createFileRoute, Link } from '@tanstack/react-router';
import { readName, signedIn } from '../visitor.ts';

export const Route = createFileRoute('/private')({
  server: { middleware: [signedIn] },
  loader: () => readName(),
  component: Private,
});

function Private() {
  return (
    <main className="wide">
      <div className="card">
        <h1>The private page</h1>
        <p className="message">
          You are <strong>{Route.useLoaderData()}</strong>.
        </p>
        <div className="choices">
          <Link className="button quiet" to="/">
            Back to the start
          </Link>
        </div>
      </div>
    </main>
  );
}
