import { auth } from '../../auth.ts';

export const runtime = 'edge';

export default async function Page() {
  return <pre id="session">{JSON.stringify(await auth())}</pre>;
}
