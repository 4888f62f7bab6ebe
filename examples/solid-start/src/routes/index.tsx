import { createAsync } from '@solidjs/router';
import { Show } from 'solid-js';
import { readSession } from '../visitor.ts';

/** Shows the session. The links load documents, so that the guards of the server can redirect. */
export default function Start() {
  const session = createAsync(() => readSession());
  return (
    <main class="wide">
      <div class="card">
        <h1>{session()?.name ?? 'You are not signed in'}</h1>
        <div class="choices">
          <Show
            when={session()?.name}
            fallback={
              <a class="button" href="/auth/signin?callbackUrl=/" rel="external">
                Sign in
              </a>
            }
          >
            <form method="post" action="/sign-out">
              <button type="submit" class="button quiet">
                Sign out
              </button>
            </form>
          </Show>
          <a class="button quiet" href="/private" rel="external">
            Private page
          </a>
        </div>
      </div>
      <section class="card">
        <h2>The session</h2>
        <pre>{session()?.json}</pre>
        <Show when={session()?.name}>
          <form method="post" action="/update">
            <div class="field">
              <label for="name">Name</label>
              <input id="name" name="name" value={session()?.name ?? ''} required />
            </div>
            <button type="submit" class="button quiet">
              Change
            </button>
          </form>
        </Show>
      </section>
    </main>
  );
}
