'use client';

import { signOut, useSession } from '@latchkey/next/react';
import { useRouter } from 'next/navigation';
import type { auth } from '../auth.ts';

/** Shows the session in the browser. Its type is the return type of `callbacks.session`. */
export function SessionInBrowser() {
  const { data, status, update } = useSession<typeof auth>();
  const router = useRouter();
  async function rename(form: FormData): Promise<void> {
    await update({ name: form.get('name') });
    // The server rendered its components before the change, so render them again.
    router.refresh();
  }
  return (
    <section className="card">
      <h2>The session in the browser</h2>
      <pre id="in-browser">{status === 'loading' ? status : JSON.stringify(data, null, 2)}</pre>
      {data && (
        <>
          <p className="hint">User id: {data.user.id}</p>
          <form action={rename}>
            <div className="field">
              <label htmlFor="name-in-browser">Name</label>
              <input id="name-in-browser" name="name" required />
            </div>
            <div className="choices">
              <button type="submit" className="button quiet">
                Change in the browser
              </button>
              <button type="button" className="button quiet" onClick={() => signOut()}>
                Sign out in the browser
              </button>
            </div>
          </form>
        </>
      )}
    </section>
  );
}
