import type { Page } from '@latchkey/testing';
import { type Identity, ORIGIN, passwordOf } from '../people.ts';
import { errorCodeOf, mustBeFine, signInParts, Trouble, Wrong } from './judge.ts';
import type { Visitor } from './visitor.ts';

/** Signs in by that identity, and looks whether it is so. */
export async function signIn(visitor: Visitor, identity: Identity): Promise<void> {
  const { method } = identity;
  const parts = signInParts(visitor.mode, method);
  const isDone = await visitor.attempt(`sign-in by ${method}`, parts, async () => {
    await WAYS[method](visitor, identity);
    begin(visitor, identity, false);
    visitor.scene.tally.count('sign-ins');
  });
  // Cut in the middle: it may be this one, or none, or still the one of before.
  if (!isDone) begin(visitor, identity, true);
  await visitor.attempt('look after sign-in', visitor.readers, () => visitor.look('session'));
}

function begin(visitor: Visitor, identity: Identity, isUnsure: boolean): void {
  visitor.identity = identity;
  visitor.isUnsure = isUnsure;
  visitor.names = [];
}

type Way = (visitor: Visitor, identity: Identity) => Promise<void>;

const WAYS: Readonly<Record<Identity['method'], Way>> = {
  async credentials(visitor, { email }) {
    mustBeFine(await visitor.post('callback/credentials', { email, password: passwordOf(email) }), 'credentials');
  },

  async mail(visitor, { email }) {
    const { outbox } = visitor.scene.world;
    outbox.clear(email);
    mustBeFine(await visitor.post('signin/mail', { email }), 'asking for a link');
    const link = await outbox.next(email);
    if (link === undefined) throw new Wrong('no mail came');
    visitor.scene.tally.count('requests/GET callback/mail');
    mustBeFine(await visitor.browser.get(link), 'the link');
    if (visitor.random.next() < 0.3) await useAgain(visitor, link);
  },

  async idp(visitor, { email }) {
    const { browser, scene } = visitor;
    const started = await visitor.post('signin/idp', {});
    mustBeFine(started, 'to the provider');
    const login = mustBeProviders(await browser.follow(started, { until: 'page' }), scene.world.issuer);
    const sent = await browser.submit(browser.form(login), { login: email, password: passwordOf(email) });
    const left = sent.redirect && !leadsHome(sent) ? await browser.follow(sent, { until: leadsHome }) : sent;
    if (!leadsHome(left)) mustBeProviders(left, scene.world.issuer, true);
    scene.tally.count('requests/GET callback/idp');
    mustBeFine(await browser.follow(left), 'back from the provider');
  },
};

function leadsHome(page: Page): boolean {
  return page.redirect?.origin === ORIGIN;
}

/** An unexpected page is a failure of the provider: after a restart, it does not know the sign-in. */
function mustBeProviders(page: Page, issuer: string, isEnd = false): Page {
  if (isEnd || page.status >= 400 || !page.url.startsWith(issuer))
    throw new Trouble(`${page.url.split('?')[0]} answered ${page.status}`, errorCodeOf(page) ?? 'provider is at fault');
  return page;
}

/** A link works once: a copy of it must be refused. */
async function useAgain(visitor: Visitor, link: string): Promise<void> {
  const page = await visitor.browser.clone().get(link);
  const code = errorCodeOf(page);
  if (code === undefined) throw new Wrong(`a link was used twice: ${page.status} ${page.location}`);
  if (code !== 'Verification') throw new Trouble('the link again', code);
  visitor.scene.tally.count('attacks refused/link used twice');
}
