import { type MemoryAdapter, memoryAdapter, type Page, SoftwareAuthenticator } from '@latchkey/testing';
import type { Mail } from '@latchkey/testing/mailbox';
import { describe, expect, it } from 'vitest';
import Passkey from '../../src/providers/passkey.ts';
import {
  addresses,
  changeAddress,
  changesSite,
  codeOf,
  type Site,
  undo,
  useMailbox,
} from '../account/changes-scene.ts';
import { change, kinds, makeGate } from '../account/scene.ts';

const ADA = 'ada@example.com';
const EVE = 'eve@evil.example';
const EVE2 = 'eve2@evil.example';
const mail = useMailbox();

/** Signs in, and changes the address as an attacker with the session would. */
async function attacked(app: Site): Promise<Mail> {
  await app.signIn();
  app.clock.advance(120);
  return changeAddress(app, mail.box, ADA, EVE);
}

const providers = (app: Site) => app.adapter.dump().accounts.map(({ provider }) => provider);

function accountsOfAda(app: Site): string[] {
  const { users, accounts } = app.adapter.dump();
  const ada = users.find(({ email }) => email === ADA);
  return accounts.filter(({ userId }) => userId === ada?.id).map(({ provider }) => provider);
}

describe.each(kinds)('the undo link of the owner (%s)', (kind) => {
  it('removes the account of an attacker who has undone a change before', async () => {
    const app = changesSite(kind, mail);
    const first = await attacked(app);
    app.clock.advance(60);
    await app.signIn({ id: 'second', consent: { user: { sub: 'eve', email: EVE } } });
    app.clock.advance(60);
    // Otherwise the notice about the account would count as that about the address.
    mail.box.clear();
    await undo(app, await changeAddress(app, mail.box, EVE, EVE2));
    await app.signIn({ id: 'second', consent: { user: { sub: 'eve', email: EVE } } });
    expect((await undo(app, first)).text()).toContain('The change is undone');
    expect(addresses(app)).toEqual([ADA]);
    expect(providers(app)).toEqual(['fake']);
    expect((await app.session()) === null).toBe(kind !== 'jwt');
  });

  it('restores the address after the attacker has changed it twice in a second, and undone one change', async () => {
    const app = changesSite(kind, mail);
    const first = await attacked(app);
    await undo(app, await changeAddress(app, mail.box, EVE, EVE2));
    expect(addresses(app)).toEqual([EVE]);
    await undo(app, first);
    expect(addresses(app)).toEqual([ADA]);
  });

  it('keeps the address, also if another change waits for its code', async () => {
    const app = changesSite(kind, mail);
    await app.signIn();
    app.clock.advance(120);
    const other = app.visitor();
    await app.signIn({ browser: other });
    await change(app, 'email', { email: EVE2 }, other);
    const code = codeOf(await mail.box.waitFor(EVE2));
    await undo(app, await changeAddress(app, mail.box, ADA, EVE));
    if ((await app.session(other)) === null) await app.signIn({ browser: other });
    await app.post('account/confirm', { code }, other);
    expect(addresses(app)).toEqual([ADA]);
  });

  it('keeps the address, also if an attacker sends several requests at once', async () => {
    const app = changesSite(kind, mail);
    await undo(app, await attacked(app));
    await app.signIn();
    const csrfToken = await app.csrfToken();
    const headers = { accept: 'application/json' };
    const results = await Promise.all(
      [1, 2, 3, 4].map((n) =>
        app.browser.post('/auth/account/email', { csrfToken, email: `eve${n}@evil.example` }, { headers }),
      ),
    );
    expect(results.map((page) => page.json())).toEqual(Array(4).fill({ error: 'RateLimited' }));
  });

  it('keeps the address, also if another change is confirmed while it is being restored', async () => {
    const app = changesSite(kind, mail);
    await app.signIn();
    app.clock.advance(120);
    const copy = app.visitor();
    for (const { name, value } of app.browser.cookies.all()) copy.cookies.set(name, value);
    await app.post('account/email', { email: EVE2 }, copy);
    const code = codeOf(await mail.box.waitFor(EVE2));
    const notice = await changeAddress(app, mail.box, ADA, EVE);
    // With records, the first change has ended the session of the copy.
    for (const { name, value } of app.browser.cookies.all()) {
      if (name !== 'authjs.address') copy.cookies.set(name, value);
    }
    let confirmed: Page | undefined;
    const { updateUserEmail } = app.adapter;
    app.adapter.updateUserEmail = async (params) => {
      const result = await updateUserEmail(params);
      if (params.to === ADA && result === 'changed' && !confirmed) {
        confirmed = await app.post('account/confirm', { code }, copy);
      }
      return result;
    };
    expect((await undo(app, notice)).text()).toContain('The change is undone');
    expect(confirmed?.location).toContain('error=');
    expect(addresses(app)).toEqual([ADA]);
  });

  it('finishes its work when it is pressed again after a failure', async () => {
    const app = changesSite(kind, mail);
    const notice = await attacked(app);
    app.clock.advance(60);
    await app.signIn({ id: 'second', consent: { user: { sub: 'eve', email: EVE } } });
    app.adapter.fail('unlinkAccountIfNotLast', { times: 1 });
    expect((await undo(app, notice)).text()).not.toContain('The change is undone');
    expect((await undo(app, notice)).text()).toContain('The change is undone');
    expect(providers(app)).toEqual(['fake']);
    expect((await app.session()) === null).toBe(kind !== 'jwt');
  });

  it('removes an account that was being added when the address changed', async () => {
    const app = changesSite(kind, mail);
    await app.signIn();
    app.clock.advance(120);
    await app.post('account/email', { email: EVE });
    const code = codeOf(await mail.box.waitFor(EVE));
    const started = await app.startSignIn('second');
    const callback = await app.provider.authorize(started.redirect ?? '', { user: { sub: 'eve', email: EVE } });
    app.provider.misbehave({ token: { delay: 300 } });
    const added = app.open(callback);
    await new Promise((resolve) => setTimeout(resolve, 100));
    app.clock.advance(2);
    await app.post('account/confirm', { code });
    const notice = await mail.box.waitFor(ADA);
    await added;
    expect(providers(app)).toEqual(['fake', 'second']);
    expect((await undo(app, notice)).text()).toContain('The change is undone');
    expect(providers(app)).toEqual(['fake']);
  });
});

describe('the undo link of the owner', () => {
  it('works after the attacker has undone a change, also in a store without `spendOnce`', async () => {
    const { spendOnce: _, ...adapter } = memoryAdapter() as MemoryAdapter;
    const app = changesSite('database', mail, { adapter: adapter as MemoryAdapter });
    const first = await attacked(app);
    app.clock.advance(60);
    await undo(app, await changeAddress(app, mail.box, EVE, EVE2));
    expect((await undo(app, first)).text()).toContain('The change is undone');
    await app.signIn();
    expect((await change(app, 'email', { email: EVE })).json()).toEqual({ error: 'RateLimited' });
  });

  it('removes an account that is added while it works', async () => {
    let addThird: (() => Promise<unknown>) | undefined;
    const app = changesSite('database', mail, {
      config: { events: { unlinkAccount: async () => void (await addThird?.()) } },
    });
    const notice = await attacked(app);
    app.clock.advance(60);
    await app.signIn({ id: 'second', consent: { user: { sub: 'eve', email: EVE } } });
    const started = await app.startSignIn('third');
    const callback = await app.provider.authorize(started.redirect ?? '', { user: { sub: 'eve3', email: EVE } });
    addThird = () => app.open(callback);
    expect((await undo(app, notice)).text()).toContain('The change is undone');
    expect(accountsOfAda(app)).toEqual(['fake']);
  });

  it.each(['jwt with records', 'database with records'] as const)(
    'starts no session for a sign-in that begins while it works (%s)',
    async (kind) => {
      const app = changesSite(kind, mail);
      const notice = await attacked(app);
      app.clock.advance(60);
      const eve = { user: { sub: 'eve', email: EVE } };
      await app.signIn({ id: 'second', consent: eve });
      const attacker = app.visitor();
      const started = await app.startSignIn('second', {}, attacker);
      const callback = await app.provider.authorize(started.redirect ?? '', eve);
      const { updateAccount, unlinkAccountIfNotLast } = app.adapter;
      const undone = makeGate();
      const found = makeGate();
      let signedIn: Promise<unknown> | undefined;
      // The sign-in has found its user, and waits for the store.
      app.adapter.updateAccount = async (account) => {
        found.open();
        await undone.opened;
        return updateAccount(account);
      };
      app.adapter.unlinkAccountIfNotLast = async (params) => {
        app.clock.advance(1);
        signedIn ??= app.open(callback, attacker);
        await found.opened;
        app.clock.advance(1);
        return unlinkAccountIfNotLast(params);
      };
      expect((await undo(app, notice)).text()).toContain('The change is undone');
      undone.open();
      await signedIn;
      expect(await app.session(attacker)).toBeNull();
      expect(accountsOfAda(app)).toEqual(['fake']);
    },
  );
});

describe('the undo link of an attacker who has registered under the address of another person', () => {
  it('does not keep the passkey of the attacker when the owner later signs in by mail', async () => {
    const config = { experimental: { enableWebAuthn: true } };
    const app = changesSite('jwt with records', mail, { first: Passkey({ unverifiedEmail: 'allow' }), config });
    const eve = new SoftwareAuthenticator();
    const passkey = async (action: 'register' | 'authenticate', params: object, browser = app.visitor()) => {
      const query = new URLSearchParams({ action, ...params });
      const init = { mode: 'cors', site: 'same-origin' } as const;
      const { options } = (await browser.get(`/auth/webauthn-options/passkey?${query}`, init)).json<{
        options: never;
      }>();
      const data = action === 'register' ? eve.create(options, browser.origin) : eve.get(options, browser.origin);
      await app.post('callback/passkey', { action, data: JSON.stringify(data) }, browser);
      return app.session(browser);
    };
    expect(await passkey('register', { email: ADA }, app.browser)).toMatchObject({ user: { email: ADA } });
    app.clock.advance(120);
    // The owner reads a notice about an account that looks like theirs, and presses the button.
    expect((await undo(app, await changeAddress(app, mail.box, ADA, EVE))).text()).toContain('The change is undone');
    expect(addresses(app)).toEqual([ADA]);
    mail.box.clear();
    const owner = app.visitor();
    await app.post('signin/nodemailer', { email: ADA }, owner);
    const { links } = await mail.box.waitFor(ADA);
    await app.open(links.find((link) => link.includes('/callback/')) ?? '', owner);
    expect(await app.session(owner)).toMatchObject({ user: { email: ADA } });
    expect(await passkey('authenticate', {})).toBeNull();
  });
});
