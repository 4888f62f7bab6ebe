import type { Page } from '@latchkey/testing';
import type { Features, ProviderId, Site } from './site.ts';

/** A way through the library. */
export interface Flow {
  readonly name: string;
  /** Options that the flow needs. Default: none of them. */
  readonly features?: Features;
  /** Runs before anything fails. */
  readonly before: (site: Site) => Promise<unknown>;
  /** Runs while a function fails. */
  readonly go: (site: Site) => Promise<unknown>;
  /** The visitor who may be signed in afterwards; several addresses if the flow changes the address. */
  readonly who: string | readonly string[];
  /** The visitor is signed in before, and must be signed in again after the fault. */
  readonly keeps?: boolean;
}

export const ADA = 'ada@example.com';
export const BOB = 'bob@example.com';
const SESSION = 'authjs.session-token';

/** Signs in at a provider, as far as nothing fails. */
export function through(id: ProviderId) {
  return async (site: Site): Promise<Page> => site.goThrough(id, await site.app.begin(id));
}

export const signedIn = through('fake');

export async function signedOut(site: Site): Promise<void> {
  await signedIn(site);
  forgetSession(site);
}

/** The browser loses the cookie of its session. */
export function forgetSession({ app }: Site): void {
  app.browser.cookies.delete(SESSION);
}

export function askForMail({ app }: Site, email: string = BOB): Promise<Page> {
  return app.post('signin/mail', { email });
}

export function typeCode({ app, mails }: Site): Promise<Page> {
  return app.post('code/mail', { code: mails.at(-1) ?? '' });
}

/** The page tells what it has, or leads away because something failed. */
export async function ceremony({ app }: Site, action: 'register' | 'authenticate', email?: string): Promise<unknown> {
  const page = await app.ask({ action, ...(email !== undefined && { email }) });
  if (page.status !== 200) return page;
  const { options } = page.json<Awaited<ReturnType<typeof app.options>>>();
  const { origin } = app.browser;
  const answer = action === 'register' ? app.phone.create(options, origin) : app.phone.get(options, origin);
  return app.answer(action, answer);
}

/** Adds a passkey to the user who is signed in. */
export function makePasskey(site: Site): Promise<unknown> {
  return ceremony(site, 'register');
}
