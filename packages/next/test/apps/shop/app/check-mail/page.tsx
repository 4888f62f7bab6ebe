import { redirect } from 'next/navigation';
import { auth, pendingMail, signIn } from '../../mail.ts';

async function enter(form: FormData) {
  'use server';
  await signIn('mail', form);
}

async function enterAndLook(form: FormData) {
  'use server';
  const to = await signIn('mail', { code: String(form.get('code')), redirect: false });
  const session = await auth();
  redirect(`/check-mail?${new URLSearchParams({ to, sees: String(session?.user?.email) })}`);
}

export default async function CheckMail({ searchParams }: { searchParams: Promise<{ error?: string }> }) {
  const { error = null } = await searchParams;
  const facts = { mail: await pendingMail(), other: await pendingMail('github'), error, session: await auth() };
  return (
    <>
      <pre id="facts">{JSON.stringify(facts)}</pre>
      <form id="ask" action={enter}>
        <input name="email" type="email" />
        <input name="redirectTo" defaultValue="/check-mail?arrived=yes" />
        <button type="submit">Send a mail</button>
      </form>
      {Object.entries({ enter, enterAndLook }).map(([name, action]) => (
        <form key={name} id={name} action={action}>
          <input name="code" inputMode="numeric" autoComplete="one-time-code" required />
          <button type="submit">Sign in</button>
        </form>
      ))}
      <form id="again" action={enter}>
        <button type="submit">Send again</button>
      </form>
    </>
  );
}
