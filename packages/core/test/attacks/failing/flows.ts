import type { Page } from '@latchkey/testing';
import { ownAccountFlows } from './account-flows.ts';
import {
  ADA,
  askForMail,
  BOB,
  ceremony,
  type Flow,
  forgetSession,
  makePasskey,
  signedIn,
  signedOut,
  through,
  typeCode,
} from './flow.ts';
import type { Site } from './site.ts';

const nothing = async (): Promise<void> => undefined;
const askForBob = (site: Site): Promise<Page> => askForMail(site);

export const flows: readonly Flow[] = [
  { name: 'a first sign-in', before: nothing, go: signedIn, who: ADA },
  { name: 'another sign-in', before: signedOut, go: signedIn, who: ADA },
  { name: 'a sign-in at a plain provider', before: nothing, go: through('plain'), who: ADA },
  { name: 'a sign-in that the provider refuses', before: nothing, go: beRefused, who: 'no visitor' },
  { name: 'asking for a mail', before: nothing, go: askForBob, who: 'no visitor' },
  { name: 'a mailed link', before: askForBob, go: useLink, who: BOB },
  { name: 'a mailed code', before: askForBob, go: typeCode, who: BOB },
  { name: 'a wrong code', before: askForBob, go: typeWrongCode, who: 'no visitor' },
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
      forgetSession(site);
    },
    go: (site) => ceremony(site, 'authenticate'),
    who: ADA,
  },
  { name: 'a further passkey', before: signedIn, go: makePasskey, who: ADA, keeps: true },
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
  ...ownAccountFlows,
];

async function beRefused(site: Site): Promise<unknown> {
  return site.goThrough('fake', await site.app.begin('fake'), { deny: 'server_error' });
}

async function useLink({ app, mails }: Site): Promise<unknown> {
  return app.browser.get(mails.at(-2) ?? '/', { site: 'cross-site' });
}

function typeWrongCode({ app, mails }: Site): Promise<Page> {
  const wrong = (Number(mails.at(-1)) + 1) % 1e8;
  return app.post('code/mail', { code: String(wrong).padStart(8, '0') });
}

async function passkeyFirst(site: Site): Promise<void> {
  await ceremony(site, 'register', ADA);
  forgetSession(site);
  await askForMail(site, ADA);
}

async function secondWay(site: Site): Promise<void> {
  await signedOut(site);
  await askForMail(site, ADA);
}
