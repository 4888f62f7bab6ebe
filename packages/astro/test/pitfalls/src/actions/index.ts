import { ActionError, defineAction } from 'astro:actions';
import { requireSession } from '../auth';

export const server = {
  whoami: defineAction({
    handler: async (_input, context) => {
      const session = await requireSession(context);
      if (session instanceof Response) throw new ActionError({ code: 'UNAUTHORIZED' });
      return session?.user?.name;
    },
  }),
};
