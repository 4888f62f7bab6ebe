import { AuthError } from '@latchkey/next';
import { redirect } from 'next/navigation';
import { auth, signIn, signOut, update } from '../../auth.ts';
import { signIn as lazySignIn } from '../../lazy.ts';

async function enter(form: FormData) {
  'use server';
  try {
    await signIn('credentials', form);
  } catch (error) {
    if (error instanceof AuthError) redirect(`/desk?error=${error.type}`);
    throw error;
  }
}

async function enterLazily(form: FormData) {
  'use server';
  await lazySignIn('credentials', form);
}

async function enterAndLook(form: FormData) {
  'use server';
  const to = await signIn('credentials', { ...Object.fromEntries(form), redirect: false });
  const session = await auth();
  redirect(`/desk?${new URLSearchParams({ to, sees: String(session?.user?.name) })}`);
}

async function rename(form: FormData) {
  'use server';
  const session = await update({ name: form.get('name') });
  redirect(`/desk?${new URLSearchParams({ sees: String(session?.user?.name) })}`);
}

async function leave() {
  'use server';
  await signOut({ redirectTo: '/still' });
}

export default function Desk() {
  return (
    <>
      {Object.entries({ enter, enterLazily, enterAndLook }).map(([name, action]) => (
        <form key={name} id={name} action={action}>
          <input name="name" />
          <input name="password" />
          <input name="redirectTo" defaultValue="/private" />
          <button type="submit">Sign in</button>
        </form>
      ))}
      <form id="rename" action={rename}>
        <input name="name" />
        <button type="submit">Rename</button>
      </form>
      <form id="leave" action={leave}>
        <button type="submit">Sign out</button>
      </form>
    </>
  );
}
