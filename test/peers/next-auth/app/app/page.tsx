import { auth, signOut, unstable_update } from '@/auth';
import UserCard from './user-card';

export default async function Home() {
  const session = await auth();
  return (
    <main>
      <pre id="session">{JSON.stringify(session)}</pre>
      <UserCard />
      <form
        id="rename"
        action={async (form) => {
          'use server';
          await unstable_update({ user: { name: String(form.get('name')) } });
        }}
      >
        <input name="name" />
        <button type="submit">Rename</button>
      </form>
      <form
        id="sign-out"
        action={async () => {
          'use server';
          await signOut({ redirectTo: '/login' });
        }}
      >
        <button type="submit">Sign out</button>
      </form>
    </main>
  );
}
