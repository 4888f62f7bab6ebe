import { Link } from 'react-router';
import { auth, required } from '../auth.server.ts';
import type { Route } from './+types/private.ts';

export const middleware = [required()];

export const meta = () => [{ title: 'Private page' }];

export const loader = async ({ context }: Route.LoaderArgs) => ({ user: (await auth(context))?.user });

export default function Private({ loaderData: { user } }: Route.ComponentProps) {
  return (
    <main className="wide">
      <div className="card">
        <h1>The private page</h1>
        <p className="message">
          You are <strong>{user?.name ?? user?.email}</strong>.
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
