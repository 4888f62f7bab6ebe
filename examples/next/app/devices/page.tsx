import { redirect } from 'next/navigation';
import { sessions } from '../../auth.ts';
import { base } from '../../base.ts';
import { endOtherSessions, endSession } from '../actions.ts';

export const metadata = { title: 'Your devices' };

/** Lists the visitor's sessions. The record store is asked, so that a session that has ended lists nothing. */
export default async function Devices() {
  const list = await sessions.list();
  if (list.length === 0) redirect(`/sign-in?callbackUrl=${base}/devices`);
  return (
    <main className="wide">
      <div className="card">
        <h1>Your devices</h1>
        <ul>
          {list.map(({ id, current, label = 'Unknown device', seenAt }) => (
            <li key={id}>
              <h2>{label}</h2>
              <p>{current ? 'This device' : `Last used ${seenAt.toUTCString()}`}</p>
              {!current && (
                <form action={endSession}>
                  <input type="hidden" name="id" value={id} />
                  <button type="submit" className="button quiet" aria-label={`Sign out: ${label}`}>
                    Sign out
                  </button>
                </form>
              )}
            </li>
          ))}
        </ul>
        <form action={endOtherSessions} className="choices">
          <button type="submit" className="button quiet">
            Sign out on all other devices
          </button>
        </form>
      </div>
    </main>
  );
}
