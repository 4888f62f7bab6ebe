import { redirect } from 'next/navigation';
import { auth } from '../../auth.ts';
import { base } from '../../base.ts';

export const metadata = { title: 'Private page' };

/** The proxy guards this page, too. The page checks the session itself, in case the proxy's `matcher` omits it. */
export default async function Private() {
  const session = await auth();
  if (!session) redirect(`/sign-in?callbackUrl=${base}/private`);
  return (
    <main className="wide">
      <div className="card">
        <h1>The private page</h1>
        <p className="message">
          You are <strong>{session.user.name ?? session.user.email}</strong>.
        </p>
      </div>
    </main>
  );
}
