import { redirect } from '@sveltejs/kit';
import { resolve } from '$app/paths';
import { sessions } from '../../auth.ts';

/** Lists the visitor's sessions. The record store is asked, so that a session that has ended lists nothing. */
export async function load(event) {
  const list = await sessions(event).list();
  const target = new URLSearchParams({ callbackUrl: event.url.pathname });
  if (list.length === 0) redirect(303, `${resolve('/sign-in')}?${target}`);
  return { sessions: list };
}

export const actions = {
  /** Ends a session of the visitor. The ids of other users' sessions end nothing. */
  end: async (event) => {
    const form = await event.request.formData();
    await sessions(event).end(String(form.get('id')));
  },
  /** Ends all sessions of the visitor but this one. */
  others: async (event) => {
    await sessions(event).endOthers();
  },
};
