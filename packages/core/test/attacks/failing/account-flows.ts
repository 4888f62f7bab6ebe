import type { Page } from '@latchkey/testing';
import {
  ADA,
  askForMail,
  type Flow,
  forgetSession,
  makePasskey,
  signedIn,
  signedOut,
  through,
  typeCode,
} from './flow.ts';
import type { Site } from './site.ts';

const NEW = 'new@example.com';
/** The users of a flow that changes the address. */
const EITHER = [ADA, NEW];

/** With the option `account`. The visitor stays signed in, unless the flow ends the sessions. */
const accountFlows: readonly Omit<Flow, 'features'>[] = [
  { name: 'the page of the account', before: withTwoWays, go: openAccount, who: ADA, keeps: true },
  { name: 'the list of the ways to sign in', before: withTwoWays, go: listWays, who: ADA, keeps: true },
  { name: 'removing an account', before: withTwoWays, go: unlink('plain'), who: ADA, keeps: true },
  { name: 'removing a passkey', before: withPasskey, go: unlink('passkey'), who: ADA, keeps: true },
  { name: 'naming a passkey', before: withPasskey, go: namePasskey, who: ADA, keeps: true },
  { name: 'changing the name', before: signedIn, go: post('name', { name: 'Countess' }), who: ADA, keeps: true },
  {
    name: 'going to a provider to add an account',
    before: signedIn,
    go: post('link', { provider: 'plain' }),
    who: ADA,
    keeps: true,
  },
  { name: 'adding an account', before: signedIn, go: through('plain'), who: ADA, keeps: true },
  { name: 'adding a passkey', before: signedIn, go: makePasskey, who: ADA, keeps: true },
  { name: 'asking for a new address', before: signedIn, go: askForAddress, who: ADA, keeps: true },
  { name: 'confirming a new address', before: withNewAddress, go: confirm, who: EITHER, keeps: true },
  { name: 'undoing a new address', before: withChangedAddress, go: undo, who: EITHER },
  { name: 'undoing an added account', before: withNoticedWay, go: undo, who: ADA },
  { name: 'the export', before: withTwoWays, go: post('export'), who: ADA, keeps: true },
  { name: 'the deletion', before: withTwoWays, go: post('delete', { confirm: ADA }), who: ADA },
  { name: 'the page to sign in again', before: withTwoWays, go: openSignInAgain, who: ADA, keeps: true },
  { name: 'signing in again', before: askedToSignInAgain, go: through('fake'), who: ADA, keeps: true },
];

/** With `linking: 'guided'`. */
const guidedFlows: readonly Omit<Flow, 'features'>[] = [
  { name: 'an offer to the visitor', before: signedIn, go: through('plain'), who: ADA, keeps: true },
  { name: 'an offer to a user who is signed out', before: signedOut, go: through('plain'), who: ADA },
  { name: 'a sign-in with an offer', before: offeredSignedOut, go: through('fake'), who: ADA },
  { name: 'the page of an offer', before: offered, go: openOffer, who: ADA, keeps: true },
  { name: 'agreeing to an offer', before: offered, go: agree, who: ADA, keeps: true },
  { name: 'the page to add an account', before: signedIn, go: openAddPage, who: ADA, keeps: true },
  { name: 'adding an account on request', before: signedIn, go: addOnRequest, who: ADA, keeps: true },
  { name: 'a mailed link while an offer waits', before: offeredThenMailed, go: typeCode, who: ADA },
];

export const ownAccountFlows: readonly Flow[] = [
  ...accountFlows.map((flow): Flow => ({ ...flow, features: 'account' })),
  ...guidedFlows.map((flow): Flow => ({ ...flow, features: 'guided' })),
];

function post(part: string, fields: Record<string, unknown> = {}) {
  return ({ app }: Site): Promise<Page> => app.post(`account/${part}`, fields);
}

async function withTwoWays(site: Site): Promise<void> {
  await signedIn(site);
  await through('plain')(site);
}

async function withNoticedWay(site: Site): Promise<void> {
  await withTwoWays(site);
  forgetSession(site);
}

async function withPasskey(site: Site): Promise<void> {
  await signedIn(site);
  await makePasskey(site);
}

function openAccount({ app }: Site): Promise<Page> {
  return app.browser.get('/auth/account');
}

function listWays({ app }: Site): Promise<Page> {
  return app.browser.get('/auth/account', { headers: { accept: 'application/json' } });
}

/** The id of a way is the same in each list, so that it is read from the store before anything fails. */
function unlink(provider: string) {
  return async (site: Site): Promise<Page> => post('unlink', { id: await site.wayId(provider) })(site);
}

async function namePasskey(site: Site): Promise<Page> {
  return post('passkey', { id: await site.wayId('passkey'), name: 'Phone' })(site);
}

function askForAddress(site: Site): Promise<Page> {
  return post('email', { email: NEW })(site);
}

async function withNewAddress(site: Site): Promise<void> {
  await signedIn(site);
  await askForAddress(site);
}

function confirm(site: Site): Promise<Page> {
  return post('confirm', { code: site.mails.at(-1) })(site);
}

async function withChangedAddress(site: Site): Promise<void> {
  await withNewAddress(site);
  await confirm(site);
  forgetSession(site);
}

/** Opens the link of the last notice, and presses the button. If the store cannot undo, the notice has no link. */
async function undo(site: Site): Promise<Page> {
  const link = new URL(site.mails.at(-2) || '/auth/account/undo', site.app.browser.origin);
  await site.app.browser.get(link, { site: 'cross-site' });
  return post('undo', { statement: link.searchParams.get('statement') })(site);
}

function openSignInAgain({ app }: Site): Promise<Page> {
  return app.browser.get('/auth/account/sign-in');
}

async function askedToSignInAgain(site: Site): Promise<void> {
  await signedIn(site);
  await openSignInAgain(site);
}

async function offered(site: Site): Promise<void> {
  await signedIn(site);
  await through('plain')(site);
}

async function offeredSignedOut(site: Site): Promise<void> {
  await signedOut(site);
  await through('plain')(site);
}

async function offeredThenMailed(site: Site): Promise<void> {
  await offeredSignedOut(site);
  await askForMail(site, ADA);
}

function openOffer({ app }: Site): Promise<Page> {
  return app.browser.get('/auth/offer');
}

async function agree(site: Site): Promise<unknown> {
  return site.goThrough('plain', await site.app.post('offer', { answer: 'add' }));
}

function openAddPage({ app }: Site): Promise<Page> {
  return app.browser.get('/auth/signin?add');
}

async function addOnRequest(site: Site): Promise<unknown> {
  return site.goThrough('plain', await site.app.begin('plain', { add: 'true' }));
}
