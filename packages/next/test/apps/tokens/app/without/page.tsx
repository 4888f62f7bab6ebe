import { tokenOrCode } from '../../auth.ts';

/** The proxy does not see this page. */
export default async function Page() {
  return <pre id="page">{JSON.stringify(await tokenOrCode())}</pre>;
}
