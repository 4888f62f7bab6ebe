import { update } from '../../auth.ts';

export const actions = {
  default: async (event) => {
    const before = await event.locals.auth();
    const form = await event.request.formData();
    const returned = await update(event, Object.fromEntries(form));
    return { before, returned, after: await event.locals.auth() };
  },
};
