import { memoryAdapter, type Page } from '@latchkey/testing';
import type { Mail } from '@latchkey/testing/mailbox';
import { describe, expect, it } from 'vitest';
import { settingsFor } from '../../src/config/settings.ts';
import { openIfValid, seal } from '../../src/crypto/seal.ts';
import type { UpdateUserEmailParams } from '../../src/types/adapter.ts';
import {
  addresses,
  BASE,
  changeAddress,
  changesSite,
  codeOf,
  linkOf,
  type Site,
  undo,
  useMailbox,
} from './changes-scene.ts';
import { BOB, change, kinds, makeGate } from './scene.ts';

const ADA = 'ada@example.com';
const EVE = 'eve@evil.example';
const mail = useMailbox();

/** Signs in, and changes the address as an attacker with the session would. */
async function attacked(app: Site): Promise<Mail> {
  await app.signIn();
  app.clock.advance(60);
  return changeAddress(app, mail.box, ADA, EVE);
}

const providers = (app: Site) => app.adapter.dump().accounts.map(({ provider }) => provider);

const DONE = 'The change is undone';

describe.each(kinds)('the undo of a new address (%s)', (kind) => {
  it('gives the address back, and ends all sessions that can be ended', async () => {
    const app = changesSite(kind, mail);
    const notice = await attacked(app);
    expect(notice.text).toContain(`was changed from ${ADA} to ${EVE}`);
    const page = await undo(app, notice);
    expect(page.text()).toContain(DONE);
    expect(page.text()).toContain(`<strong><bdi>${ADA}</bdi></strong>`);
    expect(addresses(app)).toEqual([ADA]);
    expect((await app.session()) === null).toBe(kind !== 'jwt');
  });

  it('changes nothing until its button is pressed, also if scanners open it', async () => {
    const app = changesSite(kind, mail);
    const notice = await attacked(app);
    const before = [app.adapter.dump(), app.adapter.calls.length];
    const links = mail.box.messages.flatMap((message) => message.links).filter((link) => link.includes('/account/'));
    expect(links.map((link) => new URL(link).pathname)).toEqual(['/auth/account/confirm', '/auth/account/undo']);
    for (const link of links) {
      for (const method of ['GET', 'GET', 'HEAD'] as const) await app.visitor().open(link, { method });
    }
    expect([app.adapter.dump(), app.adapter.calls.length]).toEqual(before);
    expect((await undo(app, notice)).text()).toContain(DONE);
  });

  it('removes the ways to sign in that were added since', async () => {
    const app = changesSite(kind, mail);
    const notice = await attacked(app);
    app.clock.advance(60);
    await app.signIn({ id: 'second', consent: { user: { sub: 'eve', email: EVE } } });
    await app.signIn({ id: 'third', consent: { user: { sub: 'eve', email: EVE } } });
    const [, , third] = app.adapter.store.accounts.values();
    // The store does not know when this one was added.
    delete third?.createdAt;
    expect(providers(app)).toEqual(['fake', 'second', 'third']);
    await undo(app, notice);
    expect(providers(app)).toEqual(['fake', 'third']);
  });
});

describe('the undo of a new address', () => {
  it('works once', async () => {
    const app = changesSite('database', mail);
    const notice = await attacked(app);
    await undo(app, notice);
    expect((await undo(app, notice)).text()).toContain('The link was used before');
    expect(app.log.types()).toEqual(['Verification']);
  });

  it('works for 72 hours', async () => {
    const app = changesSite('database', mail);
    const notice = await attacked(app);
    app.clock.advance(72 * 3600 - 1);
    const page = await app.open(linkOf(notice, 'undo'), app.visitor());
    expect(page.text()).toContain('Undo the change');
    app.clock.advance(20);
    const visitor = app.visitor();
    expect((await app.open(linkOf(notice, 'undo'), visitor)).text()).toContain('has expired');
    expect((await app.post('account/undo', { statement: statementOf(notice) }, visitor)).text()).toContain(
      'has expired',
    );
    expect(addresses(app)).toEqual([EVE]);
  });

  it('restores the first address, also if the attacker has changed it twice', async () => {
    const app = changesSite('database', mail);
    const first = await attacked(app);
    app.clock.advance(60);
    const second = await changeAddress(app, mail.box, EVE, 'eve2@evil.example');
    app.clock.advance(60);
    expect((await undo(app, first)).text()).toContain(DONE);
    expect(addresses(app)).toEqual([ADA]);
    // The mailbox of the attacker has an undo link, too.
    expect((await undo(app, second)).text()).toContain('was restored before');
    expect(addresses(app)).toEqual([ADA]);
  });

  it('restores the first address after the attacker has undone the second change', async () => {
    const app = changesSite('database', mail);
    const first = await attacked(app);
    app.clock.advance(60);
    const second = await changeAddress(app, mail.box, EVE, 'eve2@evil.example');
    await undo(app, second);
    expect(addresses(app)).toEqual([EVE]);
    await undo(app, first);
    expect(addresses(app)).toEqual([ADA]);
  });

  it.each(['with `spendOnce`', 'without it'])(
    'keeps the address for 72 hours, in which the links of the attacker expire (%s)',
    async (which) => {
      // The store of spent keys needs the clock of the application.
      const adapter = memoryAdapter({ now: () => app.clock.now() });
      if (which === 'without it') Reflect.deleteProperty(adapter, 'spendOnce');
      const app: Site = changesSite('database', mail, { adapter });
      const first = await attacked(app);
      app.clock.advance(60);
      const second = await changeAddress(app, mail.box, EVE, 'eve2@evil.example');
      await undo(app, first);
      await app.signIn();
      const limited = await change(app, 'email', { email: 'ada@new.example' });
      expect([limited.status, limited.json()]).toEqual([429, { error: 'RateLimited' }]);
      expect(limited.headers.get('retry-after')).toBe(String(72 * 3600));
      // Other users can change theirs.
      const bob = app.visitor();
      await app.signIn({ browser: bob, consent: BOB });
      expect((await change(app, 'email', { email: 'bob@new.example' }, bob)).json()).toEqual({ sent: true });
      app.clock.advance(72 * 3600 + 20);
      await app.signIn();
      await changeAddress(app, mail.box, ADA, 'ada@new.example');
      expect((await app.post('account/undo', { statement: statementOf(second) })).text()).toContain('has expired');
      expect(addresses(app)).toEqual(['ada@new.example', 'bob@example.com']);
    },
  );

  it('keeps the address, also against simultaneous requests and a code from before', async () => {
    // A session in a cookie lasts, so that the attacker is still signed in.
    const app = changesSite('jwt', mail);
    const other = app.visitor();
    await app.signIn({ browser: other });
    await app.post('account/email', { email: 'eve2@evil.example' }, other);
    const code = codeOf(await mail.box.waitFor('eve2@evil.example'));
    await undo(app, await attacked(app));
    const asked = await Promise.all(
      Array.from({ length: 4 }, (_, index) => change(app, 'email', { email: `eve${index}@new.example` })),
    );
    for (const page of asked) expect(page.json()).toEqual({ error: 'RateLimited' });
    expect((await change(app, 'confirm', { code }, other)).json()).toEqual({ error: 'RateLimited' });
    expect(addresses(app)).toEqual([ADA]);
  });

  it('leaves one address if it meets another change', async () => {
    const app = changesSite('database', mail);
    const first = await attacked(app);
    app.clock.advance(60);
    await app.post('account/email', { email: 'eve2@evil.example' });
    const [, code] = /Your code: (\d{4} \d{4})/.exec((await mail.box.waitFor('eve2@evil.example')).text) ?? [];
    await Promise.all([undo(app, first), app.post('account/confirm', { code })]);
    expect(addresses(app)).toEqual([ADA]);
  });

  it('takes back a change that is stored while it runs', async () => {
    const app = changesSite('database', mail);
    const first = await attacked(app);
    app.clock.advance(60);
    await app.post('account/email', { email: 'eve2@evil.example' });
    const typed = codeOf(await mail.box.waitFor('eve2@evil.example'));
    const { updateUserEmail } = app.adapter;
    const [isUndoing, isConfirmed] = [makeGate(), makeGate()];
    const changes: UpdateUserEmailParams[] = [];
    let undone: Promise<Page> | undefined;
    app.adapter.updateUserEmail = async (one) => {
      changes.push(one);
      if (changes.length === 1) {
        undone = undo(app, first);
        await isUndoing.opened;
      } else if (changes.length === 2) {
        isUndoing.open();
        await isConfirmed.opened;
      }
      return updateUserEmail(one);
    };
    const before = app.adapter.dump().users[0]?.emailVerified;
    expect((await change(app, 'confirm', { code: typed })).json()).toEqual({ error: 'RateLimited' });
    expect(changes[2]).toMatchObject({ from: 'eve2@evil.example', to: EVE, emailVerified: before });
    isConfirmed.open();
    expect((await undone)?.text()).toContain(DONE);
    expect(addresses(app)).toEqual([ADA]);
  });

  it('says that another account has the address, and then can be used again', async () => {
    const app = changesSite('database', mail);
    const notice = await attacked(app);
    const owner = app.visitor();
    await app.signIn({ browser: owner, consent: { user: { sub: 'again', email: ADA } } });
    expect((await undo(app, notice)).text()).toContain('Another account has the address');
    expect(await app.session()).toBeNull();
    await change(app, 'delete', { confirm: ADA }, owner);
    expect((await undo(app, notice)).text()).toContain(DONE);
    expect(addresses(app)).toEqual([ADA]);
  });

  it('says that the account does not exist any more', async () => {
    const app = changesSite('database', mail);
    const notice = await attacked(app);
    await change(app, 'delete', { confirm: EVE });
    const page = await undo(app, notice);
    expect(page.text()).toContain('The account does not exist any more.');
    expect(page.text()).toContain('<h1>The change is not undone</h1>');
    expect(addresses(app)).toEqual([]);
  });

  it('causes the event of a change, and proves the address at an instant before it', async () => {
    const app = changesSite('database', mail);
    await app.signIn();
    const userNow = () => app.adapter.dump().users[0];
    await app.adapter.updateUser({
      id: userNow()?.id ?? '',
      emailVerified: new Date(app.clock.now().getTime() + 60_000),
    });
    const notice = await changeAddress(app, mail.box, ADA, EVE);
    const changed = userNow()?.emailVerified;
    await undo(app, notice);
    const user = userNow();
    expect(Number(user?.emailVerified)).toBe(Number(changed) - 1000);
    expect(app.events.filter(([name]) => name === 'changeEmail').at(-1)).toMatchObject([
      'changeEmail',
      { from: EVE, to: ADA, user: { email: ADA, emailVerified: user?.emailVerified } },
    ]);
  });

  it('ends the sessions for the reason of an undo, and only once', async () => {
    const app = changesSite('database with records', mail);
    const first = await attacked(app);
    app.clock.advance(60);
    const second = await changeAddress(app, mail.box, EVE, 'eve2@evil.example');
    await undo(app, first);
    expect(app.events.filter(([name]) => name === 'sessionEnded').at(-1)).toMatchObject([
      'sessionEnded',
      { reason: 'undo' },
    ]);
    await app.signIn();
    expect((await undo(app, second)).text()).toContain('was restored before');
    expect(await app.session()).not.toBeNull();
  });

  it.each([
    ['long ago', -200_000_000],
    // By the clock of another server.
    ['just now', 5],
  ])('gives back the instant at which the address was proven: %s', async (_, seconds) => {
    const app = changesSite('database', mail);
    await app.signIn();
    const [stored] = app.adapter.store.users.values();
    const emailVerified = new Date((Math.floor(app.clock.now().getTime() / 1000) + seconds) * 1000);
    await app.adapter.updateUser({ id: stored?.id ?? '', emailVerified });
    await undo(app, await changeAddress(app, mail.box, ADA, EVE));
    expect(app.adapter.dump().users).toMatchObject([{ email: ADA, emailVerified }]);
  });

  it('works in stores that do not know when an address was proven, for the newest change', async () => {
    const app = changesSite('database', mail);
    const notice = await attacked(app);
    const [user] = app.adapter.store.users.values();
    if (user) user.emailVerified = null;
    expect((await undo(app, notice)).text()).toContain(DONE);
    expect(addresses(app)).toEqual([ADA]);
  });

  it.each([true, false])(
    'goes on after a later step has failed (the store knows `emailVerified`: %s)',
    async (isKnown) => {
      const app = changesSite('database', mail);
      const notice = await attacked(app);
      app.adapter.fail('deleteSessionsByUserId', { times: 1 });
      const forget = (): void => {
        for (const user of app.adapter.store.users.values()) if (!isKnown) user.emailVerified = null;
      };
      forget();
      expect((await undo(app, notice)).status).not.toBe(200);
      expect(addresses(app)).toEqual([ADA]);
      forget();
      expect((await undo(app, notice)).text()).toContain(DONE);
      expect(await app.session()).toBeNull();
    },
  );

  it.each([
    [5, DONE, ADA],
    [6, 'was restored before', EVE],
  ])('tries again if the address changes in between: change number %i succeeds', async (number, text, address) => {
    const app = changesSite('database', mail);
    const notice = await attacked(app);
    const { updateUserEmail } = app.adapter;
    let calls = 0;
    app.adapter.updateUserEmail = async (one) => (++calls === number ? updateUserEmail(one) : 'stale');
    expect((await undo(app, notice)).text()).toContain(text);
    expect([calls, addresses(app)]).toEqual([5, [address]]);
  });

  it('says that another account has got the address in between', async () => {
    const app = changesSite('database', mail);
    const notice = await attacked(app);
    app.adapter.updateUserEmail = async () => 'taken';
    expect((await undo(app, notice)).text()).toContain('Another account has the address');
  });

  it('is void for the next user who gets the id of a deleted one', async () => {
    const app = changesSite('database', mail);
    const notice = await attacked(app);
    const id = app.adapter.dump().users[0]?.id ?? '';
    await change(app, 'delete', { confirm: EVE });
    await app.adapter.createUser({ id, email: EVE, emailVerified: app.clock.now() });
    expect((await undo(app, notice)).text()).toContain('The link was used before');
    expect(addresses(app)).toEqual([EVE]);
  });

  it('can be used again after the store has failed', async () => {
    const app = changesSite('database', mail);
    const notice = await attacked(app);
    app.adapter.fail('updateUserEmail', { times: 1 });
    expect((await undo(app, notice)).status).not.toBe(200);
    expect((await undo(app, notice)).text()).toContain(DONE);
  });

  it.each<[string, (statement: string) => string]>([
    ['empty', () => ''],
    ['cut', (statement) => statement.slice(0, -4)],
    // Not the last character, of which some bits do not count.
    ['changed', (statement) => statement.replace(/.(?=.{9}$)/, (one) => (one === 'A' ? 'B' : 'A'))],
    ['too long', (statement) => statement.padEnd(2049, 'A')],
  ])('refuses a statement that is %s', async (_, broken) => {
    const app = changesSite('database', mail);
    const notice = await attacked(app);
    const statement = broken(statementOf(notice));
    const page = await app.visitor().get(`${BASE}/undo?${new URLSearchParams({ statement })}`);
    expect(page.text()).toContain('is not complete');
    expect((await app.post('account/undo', { statement })).text()).toContain('is not complete');
    expect(addresses(app)).toEqual([EVE]);
  });

  it('refuses a link without a statement', async () => {
    const app = changesSite('database', mail);
    expect((await app.visitor().get(`${BASE}/undo`)).text()).toContain('is not complete');
  });

  it.each(['purpose', 'userId', 'what', 'from', 'to', 'id'])(
    'refuses a statement of another version, without `%s`',
    async (member) => {
      const app = changesSite('database', mail);
      const statement = statementOf(await attacked(app));
      const sealing = { secrets: settingsFor(app.config).sealingSecrets, salt: 'latchkey.account-statement' };
      const claims = await openIfValid(statement, { ...sealing, now: app.clock.now() });
      const sealed = (own: object) => seal({ ...claims, ...own }, { ...sealing, maxAge: 600, now: app.clock.now() });
      const broken = await app.post('account/undo', { statement: await sealed({ [member]: null }) });
      expect(broken.text()).toContain('is not complete');
      expect(addresses(app)).toEqual([EVE]);
      expect((await app.post('account/undo', { statement: await sealed({}) })).text()).toContain(DONE);
    },
  );

  it('refuses the link of another site with the same secret', async () => {
    const app = changesSite('database', mail);
    const statement = statementOf(await attacked(app));
    const other = changesSite('database', mail, { adapter: app.adapter, config: { basePath: '/other' } });
    const page = await other.visitor().get(`/other/account/undo?${new URLSearchParams({ statement })}`);
    expect(page.text()).toContain('is not complete');
  });

  it('needs the CSRF token', async () => {
    const app = changesSite('database', mail);
    const statement = statementOf(await attacked(app));
    await app.browser.post('/auth/account/undo', { statement });
    await app.post('account/undo', { statement, csrfToken: 'x' });
    expect(addresses(app)).toEqual([EVE]);
  });

  it('shows addresses as text', async () => {
    const app = changesSite('database', mail);
    await app.signIn();
    const notice = await changeAddress(app, mail.box, ADA, "o'neil&co@example.com");
    const page = await app.open(linkOf(notice, 'undo'), app.visitor());
    expect(page.text()).toContain('<strong><bdi>o&#39;neil&amp;co@example.com</bdi></strong>');
    expect(page.headers.get('referrer-policy')).toBe('strict-origin');
    expect(page.headers.get('x-robots-tag')).toBe('noindex');
  });

  it('without the table of mailed tokens is remembered by `spendOnce`', async () => {
    const app = changesSite('database', mail);
    const notice = await attacked(app);
    const { createVerificationToken: _, useVerificationToken: __, ...adapter } = app.adapter;
    const other = changesSite('database', mail, { adapter: adapter as typeof app.adapter });
    expect((await undo(other, notice)).text()).toContain(DONE);
    expect((await undo(other, notice)).text()).toContain('The link was used before');
  });
});

function statementOf(notice: Mail): string {
  return new URL(linkOf(notice, 'undo')).searchParams.get('statement') ?? '';
}
