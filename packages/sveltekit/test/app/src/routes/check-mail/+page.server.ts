import { pendingMail, signIn } from '../../auth.ts';

export async function load(event) {
  return { mail: await pendingMail(event), error: event.url.searchParams.get('error') };
}

export const actions = { default: signIn };
