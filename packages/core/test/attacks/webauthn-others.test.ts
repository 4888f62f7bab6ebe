import { SoftwareAuthenticator } from '@latchkey/testing';
import { describe, expect, it } from 'vitest';
import { doors } from '../flows/doors.ts';
import { type PasskeyScene, passkeyScene } from '../flows/passkey-scene.ts';
import { expectRefused, leadsTo } from '../flows/scene.ts';
import { REFUSED, withAda } from './webauthn-scene.ts';

describe.each(doors)("somebody else's passkey through $name", (door) => {
  async function adaAndBob(): Promise<PasskeyScene & { bobs: SoftwareAuthenticator; bob: PasskeyScene['browser'] }> {
    const app = await withAda(door);
    const bobs = new SoftwareAuthenticator();
    const bob = app.visitor();
    await app.register('bob@example.com', { browser: bob, authenticator: bobs });
    return { ...app, bobs, bob };
  }

  it('is refused where another user was asked for', async () => {
    const app = await adaAndBob();
    for (const email of ['ada@example.com', 'nobody@example.com']) {
      const browser = app.visitor();
      const { options } = await app.options({ email }, browser);
      const [bobs] = app.bobs.passkeys;
      if (!bobs) throw new Error('Bob has no passkey');
      const page = await app.answer('authenticate', app.bobs.use(bobs, options, browser.origin), { browser });
      expectRefused(app, page, REFUSED, browser);
    }
  });

  it('does not take over from the user who is signed in', async () => {
    const app = await adaAndBob();
    const { options } = await app.options({ action: 'authenticate' }, app.bob);
    const [adas] = app.phone.passkeys;
    if (!adas) throw new Error('Ada has no passkey');
    const page = await app.answer('authenticate', app.phone.use(adas, options, app.bob.origin), { browser: app.bob });
    expect(leadsTo(page)).toBe('/auth/signin?error=AccountNotLinked');
    expect(await app.session(app.bob)).toMatchObject({ user: { email: 'bob@example.com' } });
    expect(app.log.types()).toEqual(['AccountNotLinked']);
  });

  it.each(['with', 'without'])(
    'cannot be registered again under an own key, by its id, %s a store that minds',
    async (minds) => {
      const app = await adaAndBob();
      const credentialId = app.phone.passkeys[0]?.id ?? '';
      if (minds === 'without') {
        // A store without unique keys: the last row wins.
        app.adapter.createAuthenticator = async (row) => {
          app.adapter.store.authenticators.set(row.credentialID, row);
          return row;
        };
      }
      const before = app.adapter.dump();
      const browser = app.visitor();
      const mallorys = new SoftwareAuthenticator();
      const act = { browser, authenticator: mallorys, lies: { credentialId } };
      expectRefused(app, await app.register('mallory@example.com', act), REFUSED, browser);
      const bobsPage = await app.add({
        browser: app.bob,
        authenticator: new SoftwareAuthenticator(),
        lies: { credentialId },
      });
      expect(leadsTo(bobsPage)).toBe(`/auth/signin?error=${REFUSED}`);
      expect(app.adapter.dump()).toEqual({ ...before, spent: expect.anything() });
      expectRefused(app, await app.enter({ browser, authenticator: mallorys }), REFUSED, browser);
    },
  );

  it('cannot be registered at the same instant under an own key', async () => {
    const app = passkeyScene(door);
    const credentialId = Buffer.alloc(20, 7).toString('base64url');
    const people = ['ada', 'mallory'].map((name) => ({ name, browser: app.visitor() }));
    await Promise.all(
      people.map(({ name, browser }) =>
        app.register(`${name}@example.com`, {
          browser,
          authenticator: new SoftwareAuthenticator(),
          lies: { credentialId },
        }),
      ),
    );
    const { users, accounts, authenticators } = app.adapter.dump();
    expect([users.length, accounts.length, authenticators.length]).toEqual([1, 1, 1]);
    const sessions = await Promise.all(people.map(({ browser }) => app.session(browser)));
    expect(sessions.filter(Boolean)).toMatchObject([{ user: { email: users[0]?.email } }]);
  });

  it('is refused when its rows do not belong together', async () => {
    const breaks: [string, (app: PasskeyScene) => void][] = [
      ['the account is gone', (app) => app.adapter.store.accounts.clear()],
      ['the user is gone', (app) => app.adapter.store.users.clear()],
      [
        'the account is of another provider',
        (app) => {
          const [[key, row] = []] = [...app.adapter.store.accounts];
          if (key && row) app.adapter.store.accounts.set(key, { ...row, providerAccountId: 'other' });
        },
      ],
      [
        "the passkey is another user's than its account",
        (app) => {
          for (const [key, row] of app.adapter.store.authenticators)
            app.adapter.store.authenticators.set(key, { ...row, userId: 'somebody' });
        },
      ],
      [
        'the key cannot be read',
        (app) => {
          for (const [key, row] of app.adapter.store.authenticators)
            app.adapter.store.authenticators.set(key, { ...row, credentialPublicKey: 'not base64!' });
        },
      ],
      [
        'the store takes another account for this one',
        (app) => {
          const [row] = app.adapter.store.accounts.values();
          const [user = null] = app.adapter.store.users.values();
          app.adapter.getUserByAccount = async () => user;
          app.adapter.getAccount = async () =>
            row ? { ...row, providerAccountId: row.providerAccountId.toLowerCase() } : null;
        },
      ],
      [
        'the store takes another id for this one',
        (app) => {
          const [row] = app.adapter.store.authenticators.values();
          app.adapter.getAuthenticator = async () =>
            row ? { ...row, credentialID: row.credentialID.toLowerCase() } : null;
        },
      ],
    ];
    for (const [what, breakIt] of breaks) {
      const app = await withAda(door);
      breakIt(app);
      const browser = app.visitor();
      expectRefused(app, await app.enter({ browser }), REFUSED, browser);
      expect(app.log.types(), what).toEqual([REFUSED]);
    }
  });
});
