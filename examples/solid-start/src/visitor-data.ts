'use server';

// The browser calls these functions by HTTP: each needs a guard of its own.
import { getRequestEvent } from 'solid-js/web';
import { auth, requireSession } from './auth.ts';

/** Returns the data of the start page. */
export async function sessionData() {
  const session = await auth(currentEvent());
  return { name: session?.user?.name ?? session?.user?.email, json: JSON.stringify(session, null, 2) };
}

/** Returns the data of the private page. */
export async function nameOfVisitor() {
  const session = await requireSession(currentEvent());
  return session?.user?.name ?? session?.user?.email;
}

/** Returns the address of the inbox, which every page links to. */
export async function inboxAddress() {
  return process.env['INBOX_URL'] ?? '/inbox';
}

/** Returns the event of h3 behind the current request. */
function currentEvent() {
  const event = getRequestEvent();
  if (!event) throw new Error('there is no request');
  return event.nativeEvent;
}
