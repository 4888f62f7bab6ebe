import { faultOf } from '../../../faults.ts';

export default async function Closed({ params }: { params: Promise<{ fault: string }> }) {
  const { fault } = await params;
  const { auth } = faultOf(fault);
  async function ask() {
    'use server';
    console.log('an action sees', JSON.stringify(await faultOf(fault).auth()));
  }
  return (
    <form action={ask}>
      <pre id="session">{JSON.stringify(await auth())}</pre>
      <button type="submit">Ask</button>
    </form>
  );
}
