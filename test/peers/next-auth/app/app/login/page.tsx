import { redirect } from 'next/navigation';
import { AuthError, CredentialsSignin } from 'next-auth';
import { signIn } from '@/auth';

type Search = Promise<{ callbackUrl?: string; error?: string; code?: string }>;

export default async function Login({ searchParams }: { searchParams: Search }) {
  const { callbackUrl = '/', error, code } = await searchParams;
  return (
    <main>
      {error ? <p id="error">{`${error} ${code ?? ''}`}</p> : null}
      <form
        id="credentials"
        action={async (form) => {
          'use server';
          try {
            await signIn('credentials', form);
          } catch (error) {
            if (error instanceof CredentialsSignin) redirect(`/login?error=${error.type}&code=${error.code}`);
            if (error instanceof AuthError) redirect(`/login?error=${error.type}`);
            throw error;
          }
        }}
      >
        <input type="hidden" name="redirectTo" value={callbackUrl} />
        <input name="email" type="email" />
        <input name="password" type="password" />
        <button type="submit">Sign in</button>
      </form>
      {(['github', 'company'] as const).map((provider) => (
        <form
          key={provider}
          id={provider}
          action={async () => {
            'use server';
            await signIn(provider, { redirectTo: callbackUrl });
          }}
        >
          <button type="submit">{`Sign in with ${provider}`}</button>
        </form>
      ))}
    </main>
  );
}
