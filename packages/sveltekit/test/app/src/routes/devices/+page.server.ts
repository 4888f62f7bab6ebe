import { auth, sessions } from '../../auth.ts';

export async function load(event) {
  return { sessions: await sessions(event).list() };
}

export const actions = {
  others: async (event) => ({ ended: await sessions(event).endOthers() }),
  all: async (event) => {
    const ended = await sessions(event).endAll();
    return { ended, session: await auth(event) };
  },
};
