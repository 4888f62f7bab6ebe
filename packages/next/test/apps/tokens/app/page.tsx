import { cookies } from 'next/headers';
import { tokenOrCode } from '../auth.ts';

async function look() {
  'use server';
  const jar = await cookies();
  jar.set('seen', await tokenOrCode());
}

export default async function Page() {
  return (
    <>
      <pre id="page">{JSON.stringify(await tokenOrCode())}</pre>
      <pre id="seen">{JSON.stringify((await cookies()).get('seen')?.value ?? null)}</pre>
      <form id="look" action={look}>
        <button type="submit">Look</button>
      </form>
    </>
  );
}
