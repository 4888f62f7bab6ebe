import { redirect } from 'next/navigation';
import { auth } from '@/auth';

export default async function Dashboard() {
  const session = await auth();
  if (!session?.user) redirect('/login');
  return <h1 id="greeting">{`Hello, ${session.user.role} ${session.user.name}`}</h1>;
}
