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
    <section>
      <h2>In the browser</h2>
      <pre id="in-browser">{status === 'loading' ? status : JSON.stringify(data, null, 2)}</pre>
      {data && (
        <form action={rename}>
          <label>
            Name <input name="name" required />
          </label>
          <button type="submit">Change in the browser</button>
          <button type="button" onClick={() => signOut()}>
            Sign out in the browser
          </button>
          <p>User id: {data.user.id}</p>
        </form>
      )}
    </section>
  );
}
