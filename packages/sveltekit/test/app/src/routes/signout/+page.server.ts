import { signOut } from '../../auth.ts';

export const actions = {
  plain: signOut,
  told: async (event) => {
    const before = await event.locals.auth();
    const answer = await signOut(event);
    return { ...answer, before, after: await event.locals.auth() };
  },
};
