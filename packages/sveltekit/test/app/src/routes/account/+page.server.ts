import type { AuthError } from '@latchkey/sveltekit';
import { account, auth } from '../../auth.ts';

export async function load(event) {
  return { ways: await account(event).list() };
}

const typeOf = (error: AuthError) => ({ type: error.type });

export const actions = {
  unlink: async (event) =>
    account(event)
      .unlink(String((await event.request.formData()).get('id')))
      .catch(typeOf),
  name: async (event) => {
    await account(event).changeName('Countess');
    return { session: await auth(event) };
  },
  link: (event) => account(event).link('fake', { redirectTo: '/shop/account' }),
};
