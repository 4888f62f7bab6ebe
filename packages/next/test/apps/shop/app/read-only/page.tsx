import type { AuthError } from '@latchkey/next';
import { passwords, signIn, signOut, update } from '../../auth.ts';

/** While a page is rendered, cookies cannot be set. */
export default async function ReadOnly() {
  const before = passwords.seen;
  const attempts = [
    () => signIn('credentials', { name: 'Ada', password: 'password', redirect: false }),
    () => signOut({ redirect: false }),
    () => update({ name: 'Eve' }),
  ];
  const results: string[] = [];
  for (const attempt of attempts) {
    results.push(
      await attempt().then(
        () => 'done',
        (error: AuthError) => error.type,
      ),
    );
  }
  return <pre id="results">{JSON.stringify({ results, passwordsSeen: passwords.seen - before })}</pre>;
}
