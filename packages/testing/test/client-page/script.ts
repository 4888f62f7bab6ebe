import {
  clientBinding,
  reloadWatchers,
  type SignInOptions,
  signInAt,
  signOutAt,
  watchRevision,
} from '@latchkey/core/client';

const actions = clientBinding('/auth', reloadWatchers);

const client = {
  signIn: (provider?: string, options?: SignInOptions) => signInAt(actions, provider, options),
  signOut: (options?: SignInOptions) => signOutAt(actions, options),
};

/** Shows the visitor's name. */
async function show(): Promise<void> {
  const session = await (await fetch('/session')).json();
  const heading = document.querySelector('h1');
  if (heading) heading.textContent = String(session?.user?.name);
}

watchRevision(show);
await show();
Object.assign(globalThis, { client });
