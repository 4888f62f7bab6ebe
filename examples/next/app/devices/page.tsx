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
    <section>
      <h1>Your devices</h1>
      <ul>
        {list.map(({ id, current, label = 'Unknown device', seenAt }) => (
          <li key={id}>
            <strong>{label}</strong> {current ? '(this device)' : `(last used ${seenAt.toUTCString()})`}
            {!current && (
              <form action={endSession}>
                <input type="hidden" name="id" value={id} />
                <button type="submit" aria-label={`Sign out: ${label}`}>
                  Sign out
                </button>
              </form>
            )}
          </li>
        ))}
      </ul>
      <form action={endOtherSessions}>
        <button type="submit">Sign out on all other devices</button>
      </form>
    </section>
  );
}
