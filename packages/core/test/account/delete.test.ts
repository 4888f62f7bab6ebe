import { describe, expect, it, vi } from 'vitest';
import { addresses, changesSite, press, useMailbox } from './changes-scene.ts';
import { BOB, change, kinds } from './scene.ts';

const ADA = 'ada@example.com';
const mail = useMailbox();

describe.each(kinds)('the deletion of an account (%s)', (kind) => {
  it('is confirmed with the address, and signs out', async () => {
    const app = changesSite(kind, mail);
    await app.signIn({ browser: app.visitor(), consent: BOB });
    await app.signIn();
    const form = await app.browser.get('/auth/account/delete');
    expect(form.text()).toContain(`<strong><bdi>${ADA}</bdi></strong>`);
    expect(form.headers.get('x-robots-tag')).toBe('noindex');
    const page = await app.post('account/delete', { confirm: ' ADA@example.com ' });
    expect(page.redirect?.href).toBe('http://localhost:3000/');
    expect(await app.session()).toBeNull();
    const { users, accounts, sessions } = app.adapter.dump();
    expect(users).toMatchObject([{ email: 'bob@example.com' }]);
    expect(accounts).toMatchObject([{ provider: 'fake' }]);
    expect(sessions.length).toBe(kind.startsWith('database') ? 1 : 0);
    expect(app.events.filter(([name]) => name === 'deleteUser')).toMatchObject([
      ['deleteUser', { user: { email: ADA } }],
    ]);
    expect((await mail.box.waitFor(ADA)).subject).toBe('Your account at localhost:3000 was deleted');
  });

  it('ends the sessions in other browsers, as far as they can be ended', async () => {
    const app = changesSite(kind, mail);
    const other = app.visitor();
    await app.signIn({ browser: other });
    await app.signIn();
    await change(app, 'delete', { confirm: 'Ada Lovelace' });
    expect((await app.session(other)) === null).toBe(kind !== 'jwt');
    const reasons = app.events.flatMap(([name, message]) => (name === 'sessionEnded' ? [message] : []));
    expect(reasons).toHaveLength(kind.endsWith('records') ? 2 : 0);
    for (const message of reasons) expect(message).toMatchObject({ reason: 'delete' });
    const methods = app.adapter.calls.map(({ method }) => method);
    expect(methods.includes('deleteSessionsByUserId')).toBe(kind.startsWith('database'));
    // No store has the user of a session in a cookie, so nothing can be changed with it.
    expect((await change(app, 'name', { name: 'New' }, other)).json()).toMatchObject({ error: 'RecentSignInRequired' });
  });

  it('leaves no session behind if a sign-in comes in between', async () => {
    const app = changesSite(kind, mail);
    const other = app.visitor();
    await app.signIn();
    const { id } = app.adapter.dump().users[0] ?? {};
    await Promise.all([change(app, 'delete', { confirm: ADA }), app.signIn({ browser: other })]);
    const { users, sessions } = app.adapter.dump();
    expect(users.map((user) => user.id)).not.toContain(id);
    expect(sessions.filter(({ userId }) => userId === id)).toEqual([]);
  });
});

describe('the deletion of an account', () => {
  it.each([['bob@example.com'], [''], [1]])('is refused with the text %j', async (confirm) => {
    const app = changesSite('database', mail);
    await app.signIn();
    expect((await change(app, 'delete', { confirm })).status).toBe(400);
    const page = await app.browser.follow(await app.post('account/delete', { confirm: String(confirm) }));
    expect(page.text()).toContain('The text that you typed was not accepted');
    expect(addresses(app)).toEqual([ADA]);
  });

  it('is not confirmed by a text if the application has asked the visitor itself', async () => {
    const app = changesSite('database', mail);
    await app.signIn();
    expect((await change(app, 'delete')).json()).toEqual({ deleted: true });
    expect(addresses(app)).toEqual([]);
  });

  it('begins with the data of the application, whose exception stops it', async () => {
    const beforeDelete = vi.fn().mockRejectedValueOnce(new Error('not now'));
    const app = changesSite('database', mail, { account: { beforeDelete } });
    await app.signIn();
    expect((await change(app, 'delete', { confirm: ADA })).status).toBe(500);
    expect(addresses(app)).toEqual([ADA]);
    expect(await app.session()).not.toBeNull();
    expect((await change(app, 'delete', { confirm: ADA })).json()).toEqual({ deleted: true });
    expect(beforeDelete.mock.calls).toMatchObject([[{ email: ADA }], [{ email: ADA }]]);
    expect(addresses(app)).toEqual([]);
  });

  it('can be repeated after the store has failed', async () => {
    const app = changesSite('database', mail);
    await app.signIn();
    app.adapter.fail('deleteUser', { times: 1 });
    expect((await change(app, 'delete', { confirm: ADA })).status).toBe(500);
    expect(addresses(app)).toEqual([ADA]);
    // The session has ended, so its cookie is removed.
    expect(app.browser.cookies.has('authjs.session-token')).toBe(false);
    await app.signIn();
    expect((await change(app, 'delete', { confirm: ADA })).json()).toEqual({ deleted: true });
    expect(mail.box.messages.filter(({ subject }) => subject.includes('was deleted'))).toHaveLength(1);
  });

  it('needs a recent sign-in, also to see the form', async () => {
    const app = changesSite('database', mail);
    expect((await app.browser.get('/auth/account/delete')).redirect?.pathname).toBe('/auth/account/sign-in');
    await app.signIn();
    const form = await app.browser.get('/auth/account/delete');
    app.clock.advance(601);
    expect((await press(app.browser, form)).redirect?.pathname).toBe('/auth/account/sign-in');
    expect((await app.browser.get('/auth/account/delete')).redirect?.pathname).toBe('/auth/account/sign-in');
    expect(addresses(app)).toEqual([ADA]);
  });

  it('says before anything happens that the adapter cannot do it', async () => {
    const beforeDelete = vi.fn();
    const app = changesSite('database', mail, { account: { beforeDelete } });
    Reflect.deleteProperty(app.adapter, 'deleteUser');
    await app.signIn();
    expect((await change(app, 'delete', { confirm: ADA })).status).toBe(500);
    expect([beforeDelete.mock.calls.length, app.log.types()]).toEqual([0, ['MissingAdapterMethods']]);
  });

  it('does not exist with `without`', async () => {
    const app = changesSite('database', mail, { account: { without: ['delete', 'export', 'email'] } });
    await app.signIn();
    for (const part of ['delete', 'export', 'email', 'confirm']) {
      expect((await change(app, part, { confirm: ADA, email: 'a@b.example' })).status, part).toBe(400);
    }
    expect(addresses(app)).toEqual([ADA]);
  });
});
