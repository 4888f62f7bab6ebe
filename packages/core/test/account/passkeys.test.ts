import { memoryAdapter, SoftwareAuthenticator } from '@latchkey/testing';
import { describe, expect, it } from 'vitest';
import type { AccountWay, AuthConfig } from '../../src/types.ts';
import { type Door, doors } from '../flows/doors.ts';
import { type PasskeyScene, passkeyScene } from '../flows/passkey-scene.ts';

const door = doors[0] as Door;

function site(config: Partial<AuthConfig> = {}): PasskeyScene {
  return passkeyScene(door, {}, { adapter: memoryAdapter(), config: { account: { without: ['mails'] }, ...config } });
}

async function listed(app: PasskeyScene): Promise<AccountWay[]> {
  const page = await app.browser.get('/auth/account', { headers: { accept: 'application/json' } });
  return page.json<{ ways: AccountWay[] }>().ways;
}

describe.each(['jwt', 'database'] as const)('passkeys (%s)', (strategy) => {
  const session = { strategy };

  it('get names, and are removed with their account', async () => {
    const app = site({ session });
    await app.register();
    await app.add({ authenticator: new SoftwareAuthenticator() });
    const [key, phone] = await listed(app);
    expect([key, phone]).toMatchObject([
      { kind: 'webauthn', provider: 'passkey', isOnlyWay: false },
      { kind: 'webauthn', provider: 'passkey', isOnlyWay: false },
    ]);
    const page = await app.browser.get('/auth/account');
    const [, rename = expect.unreachable()] = app.browser
      .forms(page)
      .filter(({ action }) => action.endsWith('/account/passkey'));
    const renamed = await app.browser.submit(rename, { name: ' Phone ' });
    expect(renamed.redirect?.href).toBe('http://localhost:3000/auth/account?done=passkey');
    expect((await listed(app)).map(({ id, label }) => [id, label])).toEqual([
      [key?.id, undefined],
      [phone?.id, 'Phone'],
    ]);
    const named = (await app.browser.follow(renamed)).text();
    expect(named.match(/<h3>.*<\/h3>/g)).toEqual(['<h3><bdi>Passkey</bdi></h3>', '<h3><bdi>Phone</bdi></h3>']);
    expect(named).toContain('The passkey has a new name.');
    expect(named).toContain('You have no other way to sign in.');
    expect((await app.browser.get('/auth/signin?add')).text()).not.toContain('There is no further way to sign in');
    await app.post('account/unlink', { id: phone?.id });
    expect(await listed(app)).toMatchObject([{ id: key?.id, isOnlyWay: true }]);
    expect(app.adapter.dump().authenticators).toHaveLength(1);
    await app.post('account/unlink', { id: key?.id });
    expect(app.log.types()).toEqual(['LastWayIn']);
    expect((await app.browser.get('/auth/account')).text()).toContain('This is your only way to sign in.');
  });

  it('cause a notice when they are added and removed, and its link removes them', async () => {
    const sent: { subject: string; text: string }[] = [];
    const send = async (message: (typeof sent)[number]): Promise<void> => void sent.push(message);
    const app = site({ session, account: {}, mail: { send } });
    await app.register();
    await app.add({ authenticator: new SoftwareAuthenticator() });
    expect(sent.map(({ subject }) => subject)).toEqual(['A way to sign in was added at localhost:3000']);
    expect(sent[0]?.text).toContain('A passkey can now sign in to your account');
    const visitor = app.visitor();
    const [link = ''] = /http\S+account\/undo\S+/.exec(sent[0]?.text ?? '') ?? [];
    const done = await visitor.submit(visitor.form(await visitor.get(link, { site: 'cross-site' })));
    expect(done.text()).toContain('The way to sign in is removed.');
    expect(app.adapter.dump().authenticators).toHaveLength(1);
    app.clock.advance(60);
    await app.enter();
    expect(await listed(app)).toMatchObject([{ usedAt: app.clock.now().toISOString() }]);
    expect((await app.browser.get('/auth/account')).text().match(/(Added|Last used) on/g)).toEqual([
      'Added on',
      'Last used on',
    ]);
    await app.add({ authenticator: new SoftwareAuthenticator() });
    await app.post('account/unlink', { id: (await listed(app))[0]?.id });
    expect(sent.at(-1)?.text).toContain('A passkey can no longer sign in');
  });

  it('are in the export, without their keys', async () => {
    const app = site({ session });
    await app.register();
    const [phone] = await listed(app);
    await app.post('account/passkey', { id: phone?.id, name: 'Phone' });
    const page = await app.post('account/export');
    const [authenticator] = app.adapter.dump().authenticators;
    expect(page.json()).toMatchObject({
      accounts: [],
      passkeys: [
        { provider: 'passkey', name: 'Phone', createdAt: authenticator?.createdAt?.toISOString(), usedAt: null },
      ],
      sessions: [],
    });
    expect(page.text()).not.toContain(authenticator?.credentialID);
    expect(page.text()).not.toContain(authenticator?.credentialPublicKey);
    // A store may have lost the row of the passkey.
    app.adapter.store.authenticators.clear();
    expect((await app.post('account/export')).json()).toMatchObject({ passkeys: [{ name: null, createdAt: null }] });
  });

  it('are added only after a recent sign-in', async () => {
    const app = site({ session });
    await app.register();
    app.clock.advance(601);
    const refused = await app.ask({ action: 'register' });
    expect([refused.status, refused.json()]).toEqual([400, { error: 'RecentSignInRequired' }]);
    await app.browser.get('/auth/account/sign-in');
    await app.enter();
    await app.add({ authenticator: new SoftwareAuthenticator() });
    expect(app.adapter.dump().authenticators).toHaveLength(2);
  });

  it('are not named if the adapter cannot do it', async () => {
    const app = site({ session });
    Reflect.deleteProperty(app.adapter, 'updateAuthenticator');
    await app.register();
    const page = await app.browser.get('/auth/account');
    expect(page.text()).toContain('<h2>Passkeys</h2>');
    expect(page.text()).not.toContain('/auth/account/passkey');
  });

  it('that are added are not a new sign-in', async () => {
    const app = site({ session });
    await app.register();
    const { options } = await app.options({ action: 'register' });
    app.clock.advance(601);
    await app.browser.get('/auth/account/sign-in');
    const made = new SoftwareAuthenticator().create(options, app.browser.origin);
    expect((await app.answer('register', made)).redirect?.pathname).toBe('/auth/account/sign-in');
    expect(app.adapter.dump().authenticators).toHaveLength(1);
    expect((await app.ask({ action: 'register' })).json()).toEqual({ error: 'RecentSignInRequired' });
  });

  it('of another user do not sign in a visitor who was asked to sign in again', async () => {
    const app = site({ session });
    const bob = new SoftwareAuthenticator();
    const other = app.visitor();
    await app.register('bob@example.com', { browser: other, authenticator: bob });
    await app.register();
    app.clock.advance(601);
    await app.browser.get('/auth/account/sign-in');
    const { options } = await app.options({ action: 'authenticate' });
    const data = bob.get({ ...options, allowCredentials: [] }, app.browser.origin);
    expect((await app.answer('authenticate', data)).redirect?.pathname).toBe('/auth/account/sign-in');
    expect(await app.session()).toMatchObject({ user: { email: 'ada@example.com' } });
    await app.enter();
    expect((await app.ask({ action: 'register' })).status).toBe(200);
  });

  it('sign in again on a page that creates no other user', async () => {
    const app = site({ session });
    await app.register();
    const text = (await app.browser.get('/auth/account/sign-in')).text();
    expect(text).toContain('data-webauthn=');
    expect(text).not.toContain('data-ceremony="register"');
  });
});
