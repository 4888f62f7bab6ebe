import { describe, expect, it } from 'vitest';
import { changesSite, type Site, undo, useMailbox } from './changes-scene.ts';
import { change, kinds } from './scene.ts';

const ADA = 'ada@example.com';
const mail = useMailbox();

const providers = (app: Site) => app.adapter.dump().accounts.map(({ provider }) => provider);
const subjects = () => mail.box.messages.map(({ subject }) => subject);

/** Adds an account, as an attacker with the session would. */
async function addSecond(app: Site, email = 'eve@evil.example'): Promise<void> {
  await app.signIn();
  await app.signIn({ id: 'second', consent: { user: { sub: 'eve', email } } });
}

describe.each(kinds)('the notice of an added way to sign in (%s)', (kind) => {
  it('names it, and can remove it, which ends all sessions', async () => {
    const app = changesSite(kind, mail);
    await addSecond(app);
    const notice = await mail.box.waitFor(ADA);
    expect(notice.subject).toBe('A way to sign in was added at localhost:3000');
    expect(notice.text).toContain('Your account at Second (eve@evil.example) can now sign in');
    expect(providers(app)).toEqual(['fake', 'second']);
    const undone = (await undo(app, notice)).text();
    expect(undone).toContain('<h1>The change is undone</h1>');
    expect(undone).toContain('<p class="message">The way to sign in is removed');
    expect(providers(app)).toEqual(['fake']);
    expect((await app.session()) === null).toBe(kind !== 'jwt');
    expect((await undo(app, notice)).text()).toContain('The link was used before');
  });
});

describe('the notice of an added way to sign in', () => {
  it('ends only the sessions if it is the only way', async () => {
    const config = { mail: { send: async () => undefined } };
    const app = changesSite('database', mail);
    await addSecond(app);
    const notice = await mail.box.waitFor(ADA);
    // The other ways are not configured any more.
    const later = changesSite('database', mail, {
      adapter: app.adapter,
      config: { ...config, providers: app.config.providers.slice(1, 2) },
    });
    expect((await undo(later, notice)).text()).toContain(
      '<p class="message" role="alert">It is the only way to sign in',
    );
    expect(providers(app)).toEqual(['fake', 'second']);
    expect(await app.session()).toBeNull();
  });

  it('does not carry a name that an attacker has chosen', async () => {
    const app = changesSite('database', mail);
    await app.signIn();
    const user = { sub: 'eve', name: 'Call +1 555 0100' };
    await app.signIn({ id: 'second', consent: { user } });
    const { text } = await mail.box.waitFor(ADA);
    expect(text).toContain('Your account at Second can now sign in');
    expect(text).not.toContain('555');
  });

  it('is not sent to a user without an address', async () => {
    const app = changesSite('database', mail);
    await app.signIn({ consent: { user: { sub: 'no-address', name: 'Ada' } } });
    await app.signIn({ id: 'second', consent: { user: { sub: 'eve', email: 'eve@evil.example' } } });
    expect([providers(app), subjects(), app.log.types()]).toEqual([['fake', 'second'], [], []]);
  });

  it('says when it happened, and in which browser', async () => {
    const app = changesSite('database', mail);
    app.clock.set(new Date('2031-02-03T04:05:06Z'));
    await app.signIn();
    const started = await app.startSignIn('second');
    const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
    const url = await app.provider.authorize(started.location ?? '', {
      user: { sub: 'eve', email: 'eve@evil.example' },
    });
    await app.browser.get(url, { site: 'cross-site', headers: { 'user-agent': agent } });
    expect((await mail.box.waitFor(ADA)).text).toContain(
      'This happened on 3 February 2031 at 04:05 UTC (Firefox on Linux).',
    );
  });

  it('has a link that the store remembers for 72 hours', async () => {
    const app = changesSite('database', mail);
    await addSecond(app);
    const [row] = app.adapter.dump().verificationTokens;
    expect(row?.identifier).toMatch(/^latchkey:undo:/);
    const left = Number(row?.expires) - app.clock.now().getTime();
    expect(Math.ceil(left / 1000)).toBe(72 * 3600);
  });

  it('has a link also without `spendOnce`, which can be used again after the store has failed', async () => {
    const app = changesSite('database', mail);
    Reflect.deleteProperty(app.adapter, 'spendOnce');
    await addSecond(app);
    const notice = await mail.box.waitFor(ADA);
    app.adapter.fail('unlinkAccountIfNotLast');
    expect((await undo(app, notice)).status).not.toBe(200);
    expect(providers(app)).toEqual(['fake', 'second']);
    expect((await undo(app, notice)).text()).toContain('The way to sign in is removed');
    expect(providers(app)).toEqual(['fake']);
  });

  it('has a link also with `spendOnce` alone, which counts each link for itself', async () => {
    const app = changesSite('database', mail);
    for (const method of ['createVerificationToken', 'useVerificationToken'])
      Reflect.deleteProperty(app.adapter, method);
    await app.signIn();
    for (const id of ['second', 'third'])
      await app.signIn({ id, consent: { user: { sub: id, email: `${id}@evil.example` } } });
    for (const _ of ['second', 'third']) await undo(app, await mail.box.waitFor(ADA));
    expect(providers(app)).toEqual(['fake']);
  });

  it('has no link if the store cannot remember that it was used', async () => {
    const app = changesSite('database', mail);
    for (const method of ['createVerificationToken', 'useVerificationToken', 'spendOnce'])
      Reflect.deleteProperty(app.adapter, method);
    await app.signIn();
    await app.signIn({ id: 'second', consent: { user: { sub: 'eve', email: 'eve@evil.example' } } });
    expect((await mail.box.waitFor(ADA)).links.filter((link) => link.includes('/auth/'))).toEqual([]);
  });

  it('has no link if the store fails to remember it, and the error is logged', async () => {
    const app = changesSite('database', mail);
    await app.signIn();
    app.adapter.fail('createVerificationToken');
    await app.signIn({ id: 'second', consent: { user: { sub: 'eve', email: 'eve@evil.example' } } });
    const { links } = await mail.box.waitFor(ADA);
    expect(links.filter((link) => link.includes('/auth/'))).toEqual([]);
    expect(app.log.types()).toEqual(['AdapterError']);
  });

  it('has no link if the adapter cannot remove it', async () => {
    const app = changesSite('database', mail);
    Reflect.deleteProperty(app.adapter, 'unlinkAccountIfNotLast');
    await addSecond(app);
    expect((await mail.box.waitFor(ADA)).links.filter((link) => link.includes('/auth/'))).toEqual([]);
  });

  it('has no link if the statement would be longer than 2 kB', async () => {
    const app = changesSite('database', mail);
    const [userId, provider] = ['u'.repeat(1500), 'fake'];
    await app.adapter.createUser({ id: userId, email: ADA, emailVerified: new Date(0) });
    await app.adapter.linkAccount({ userId, provider, providerAccountId: 'ada', type: 'oidc' });
    await app.signIn({ consent: { user: { sub: 'ada' } } });
    await app.signIn({ id: 'second', consent: { user: { sub: 'eve', email: 'eve@evil.example' } } });
    expect((await mail.box.waitFor(ADA)).links.filter((link) => link.includes('/auth/'))).toEqual([]);
  });

  it('is not sent to the user of the first account', async () => {
    const app = changesSite('database', mail);
    await app.signIn();
    await app.signIn();
    expect(subjects()).toEqual([]);
  });
});

describe('a notice', () => {
  it('says that a way to sign in was removed, or that all sessions were ended', async () => {
    const app = changesSite('database with records', mail);
    await addSecond(app);
    const { ways } = (await app.browser.get('/auth/account', { headers: { accept: 'application/json' } })).json<{
      ways: { id: string; provider: string }[];
    }>();
    await change(app, 'unlink', { id: ways.find(({ provider }) => provider === 'second')?.id });
    expect((await mail.box.waitFor(ADA)).subject).toContain('was added');
    expect((await mail.box.waitFor(ADA)).text).toContain('Your account at Second');
    await app.signIn();
    await app.post('sessions', { end: 'others' });
    await app.post('sessions', { end: 'all' });
    expect(subjects().slice(2)).toEqual(['All sessions at localhost:3000 were ended']);
  });

  it('is not sent with `without`, and its links do not exist', async () => {
    const app = changesSite('database', mail, { account: { without: ['mails'] } });
    await addSecond(app);
    await change(app, 'delete', { confirm: ADA });
    expect([subjects(), app.log.types()]).toEqual([[], []]);
    expect((await app.browser.get('/auth/account/undo')).status).toBe(400);
  });

  it('goes through `mail.send` of the application, with its sender', async () => {
    const sent: unknown[] = [];
    const options = { from: 'Acme <security@acme.example>', send: async (one: object) => void sent.push(one) };
    const app = changesSite('database', mail, { config: { mail: options } });
    await addSecond(app);
    expect(sent).toEqual([
      {
        to: ADA,
        from: 'Acme <security@acme.example>',
        subject: 'A way to sign in was added at localhost:3000',
        text: expect.stringContaining('/auth/account/undo?statement='),
        html: expect.stringContaining('/auth/account/undo?statement='),
      },
    ]);
    expect(mail.box.messages).toEqual([]);
  });

  it('is sent by the first email provider that can send it', async () => {
    const own = { id: 'own', name: 'Own', type: 'email', sendVerificationRequest: async () => undefined } as const;
    const app = changesSite('database', mail, { first: own });
    await addSecond(app);
    expect((await mail.box.waitFor(ADA)).subject).toContain('A way to sign in was added');
  });

  it('has the sender of `mail.from` also if the email provider sends it', async () => {
    const app = changesSite('database', mail, { config: { mail: { from: 'security@acme.example' } } });
    await addSecond(app);
    expect((await mail.box.waitFor(ADA)).from).toBe('security@acme.example');
  });

  it('that fails is logged, and the change stays', async () => {
    const send = async (): Promise<never> => Promise.reject(new Error('refused'));
    const app = changesSite('database', mail, { config: { mail: { send } } });
    await addSecond(app);
    expect(providers(app)).toEqual(['fake', 'second']);
    expect(app.log.types()).toEqual(['AuthError']);
  });
});
