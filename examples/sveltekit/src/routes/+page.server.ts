import { update } from '../auth.ts';

export const actions = {
  /** Changes the visitor's name; `callbacks.jwt` decides. */
  default: async (event) => {
    const form = await event.request.formData();
    await update(event, { name: form.get('name') });
  },
};
