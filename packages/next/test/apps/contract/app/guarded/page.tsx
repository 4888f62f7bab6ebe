import { auth } from '../../auth.ts';

export default async function Guarded() {
  const session = await auth();
  return <h1>{`Guarded page of ${session?.user?.name}`}</h1>;
}
