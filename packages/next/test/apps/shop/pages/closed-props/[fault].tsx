import type { GetServerSidePropsContext } from 'next';
import { auth } from '../../auth.ts';
import { faultOf } from '../../faults.ts';

export async function getServerSideProps(context: GetServerSidePropsContext) {
  const fault = String(context.params?.['fault']);
  const asked = fault === 'none' ? { auth } : faultOf(fault);
  return { props: { session: JSON.stringify(await asked.auth(context)) } };
}

export default function ClosedProps({ session }: { session: string }) {
  return <pre id="session">{session}</pre>;
}
