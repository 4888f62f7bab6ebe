import { auth, signIn } from '../../../auth.ts';
import Guarded from '../page.tsx';

/** The proxy guards this page, and the page itself. */
export default async function Inner() {
  return (await auth()) ? <Guarded /> : signIn();
}
