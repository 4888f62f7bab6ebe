import { cookies } from 'next/headers';
import { auth } from '../../auth.ts';

export default async function Home() {
  const all = (await cookies()).getAll().map(({ name, value }) => [name, value]);
  return (
    <>
      <pre id="session">{JSON.stringify(await auth())}</pre>
      <pre id="cookies">{JSON.stringify(Object.fromEntries(all))}</pre>
    </>
  );
}
