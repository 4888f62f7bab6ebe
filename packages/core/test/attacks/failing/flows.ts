import type { Page } from '@latchkey/testing';
import type { Site } from './site.ts';

/** A way through the library. */
export interface Flow {
  readonly name: string;
  /** Runs before anything fails. */
  readonly before: (site: Site) => Promise<unknown>;
  /** Runs while a function fails. */
  readonly go: (site: Site) => Promise<unknown>;
  /** The visitor who may be signed in afterwards. */
  readonly who: string;
  /** The visitor is signed in before, and must be signed in again after the fault. */
  readonly keeps?: boolean;
}

const ADA = 'ada@example.com';
const BOB = 'bob@example.com';
const SESSION = 'authjs.session-token';

const nothing = async (): Promise<void> => undefined;
const through =
  (id: 'fake' | 'plain') =>
  async ({ app, fakes }: Site): Promise<Page> => {
    const started = await app.begin(id);
    const isOnTheWay = started.location?.startsWith(fakes[id].issuer) === true;
    return isOnTheWay ? app.finish(await fakes[id].authorize(started.location ?? '')) : started;
  };
const signedIn = through('fake');
const signedOut = async (site: Site): Promise<void> => {
  await signedIn(site);
  site.app.browser.cookies.delete(SESSION);
};
const askForMail = ({ app }: Site): Promise<Page> => app.post('signin/mail', { email: BOB });

/** The page tells what it has, or leads away because something failed. */
async function ceremony({ app }: Site, action: 'register' | 'authenticate', email?: string): Promise<unknown> {
  const page = await app.ask({ action, ...(email !== undefined && { email }) });
  if (page.status !== 200) return page;
  const { options } = page.json<Awaited<ReturnType<typeof app.options>>>();
  const { origin } = app.browser;
  const answer = action === 'register' ? app.phone.create(options, origin) : app.phone.get(options, origin);
  return app.answer(action, answer);
}

export const flows: readonly Flow[] = [
  { name: 'a first sign-in', before: nothing, go: signedIn, who: ADA },
  { name: 'another sign-in', before: signedOut, go: signedIn, who: ADA },
  { name: 'a sign-in at a plain provider', before: nothing, go: through('plain'), who: ADA },
  { name: 'a sign-in that the provider refuses', before: nothing, go: beRefused, who: 'no visitor' },
  { name: 'asking for a mail', before: nothing, go: askForMail, who: 'no visitor' },
  { name: 'a mailed link', before: askForMail, go: useLink, who: BOB },
  { name: 'a mailed code', before: askForMail, go: typeCode, who: BOB },
  { name: 'a wrong code', before: askForMail, go: typeWrongCode, who: 'no visitor' },
  { name: 'a mailed link of a user who has signed in another way', before: secondWay, go: useLink, who: ADA },
  {
    name: 'a mailed link that is the first proof of a user with a passkey',
    before: passkeyFirst,
    go: useLink,
    who: ADA,
  },
  {
    name: 'credentials',
    before: signedOut,
    go: ({ app }) => app.post('callback/credentials', { name: 'Ada' }),
    who: ADA,
  },
  { name: 'a first passkey', before: nothing, go: (site) => ceremony(site, 'register', ADA), who: ADA },
  {
    name: 'signing in with a passkey',
    before: async (site) => {
      await ceremony(site, 'register', ADA);
      site.app.browser.cookies.delete(SESSION);
    },
    go: (site) => ceremony(site, 'authenticate'),
    who: ADA,
  },
  { name: 'a further passkey', before: signedIn, go: (site) => ceremony(site, 'register'), who: ADA, keeps: true },
  {
    name: 'reading the session',
    before: signedIn,
    go: ({ app }) => app.browser.get('/auth/session'),
    who: ADA,
    keeps: true,
  },
  {
    name: 'updating the session',
    before: signedIn,
    go: ({ app }) => app.post('session', { data: 'x' }),
    who: ADA,
    keeps: true,
  },
  {
    name: 'the sign-in page',
    before: signedIn,
    go: ({ app }) => app.browser.get('/auth/signin?callbackUrl=/x'),
    who: ADA,
    keeps: true,
  },
  { name: 'signing out', before: signedIn, go: ({ app }) => app.post('signout', { callbackUrl: '/out' }), who: ADA },
];

async function beRefused({ app, fakes }: Site): Promise<unknown> {
  const started = await app.begin('fake');
  const isOnTheWay = started.location?.startsWith(fakes.fake.issuer) === true;
  return isOnTheWay && app.finish(await fakes.fake.authorize(started.location ?? '', { deny: 'server_error' }));
}

async function useLink({ app, mails }: Site): Promise<unknown> {
  return app.browser.get(mails.at(-2) ?? '/', { site: 'cross-site' });
}

function typeCode({ app, mails }: Site): Promise<Page> {
  return app.post('code/mail', { code: mails.at(-1) ?? '' });
}

function typeWrongCode({ app, mails }: Site): Promise<Page> {
  const wrong = (Number(mails.at(-1)) + 1) % 1e8;
  return app.post('code/mail', { code: String(wrong).padStart(8, '0') });
}

async function passkeyFirst(site: Site): Promise<void> {
  await ceremony(site, 'register', ADA);
  site.app.browser.cookies.delete(SESSION);
  await site.app.post('signin/mail', { email: ADA });
}

async function secondWay(site: Site): Promise<void> {
  await signedOut(site);
  await site.app.post('signin/mail', { email: ADA });
}
