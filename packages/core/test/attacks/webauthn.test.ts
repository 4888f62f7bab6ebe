import { type PasskeyLies, SoftwareAuthenticator } from '@latchkey/testing';
import { describe, expect, it } from 'vitest';
import { oneDoor } from '../flows/doors.ts';
import { CHALLENGE, type PasskeyScene, passkeyScene } from '../flows/passkey-scene.ts';
import { expectRefused, leadsTo } from '../flows/scene.ts';
import { REFUSED, withAda } from './webauthn-scene.ts';

const OTHER = new SoftwareAuthenticator();
const stranger = OTHER.create(
  {
    challenge: 'AA',
    rp: { name: 'x', id: 'x.test' },
    user: { id: 'AA', name: 'x', displayName: 'x' },
    pubKeyCredParams: [{ alg: -7 }],
  },
  'https://x.test',
);
const strangersKey = (OTHER.passkeys[0] as (typeof OTHER.passkeys)[number]).key;

/** Lies that are possible in both ceremonies. */
const lies: [what: string, lies: PasskeyLies][] = [
  ['another origin', { origin: 'https://evil.test' }],
  ["an origin that only begins like the site's", { origin: 'http://localhost:3000.evil.test' }],
  ['our origin with a slash', { origin: 'http://localhost:3000/' }],
  ['our host at another port', { origin: 'http://localhost:3001' }],
  ['our host by another scheme', { origin: 'https://localhost:3000' }],
  ['a subdomain of the site', { origin: 'http://sub.localhost:3000' }],
  ['no origin', { origin: 'null' }],
  ['another site (rpId)', { rpId: 'evil.test' }],
  ['the host with its port as rpId', { rpId: 'localhost:3000' }],
  ['another type of client data', { type: 'payment.get' }],
  ['no type', { type: '' }],
  ['another challenge', { challenge: 'A'.repeat(43) }],
  ['no challenge', { challenge: '' }],
  ['no user presence', { flags: { userPresent: false } }],
  ['no user verification', { flags: { userVerified: false } }],
  ['a copy of what cannot be copied', { flags: { backupEligible: false, backedUp: true } }],
  ['another type of credential', { credentialType: 'password' }],
  ['another name outside than inside', { namedId: 'AAAAAAAAAAAAAAAAAAAAAAAAAAA' }],
  ['a page in a frame', { crossOrigin: true }],
  ['a page in a frame of a named site', { crossOrigin: true, topOrigin: 'https://evil.test' }],
  ['a top origin though not in a frame', { topOrigin: 'https://evil.test' }],
];

const atSignIn: typeof lies = [
  ...lies,
  ['the type of a registration', { type: 'webauthn.create' }],
  ['a broken signature', { signature: 'broken' }],
  ["another key's signature", { signature: strangersKey }],
  ['a counter that stands still', { counter: 0 }],
  ['a passkey that can no longer be copied', { flags: { backupEligible: false, backedUp: false } }],
  ['an unknown credential', { credentialId: stranger.id }],
];

const atRegistration: typeof lies = [
  ...lies,
  ['the type of a sign-in', { type: 'webauthn.get' }],
  ['an algorithm that was not offered', { algorithm: -65535 }],
  ['an algorithm that is not of its key', { algorithm: -37 }],
  ['an RSA algorithm with a key of another type', { algorithm: -257 }],
  ['an Edwards algorithm with a key of another type', { algorithm: -8 }],
  ['an attestation that is none', { format: 'none', statement: new Map([['sig', new Uint8Array(8)]]) }],
  ['an unknown format', { format: 'self-made' }],
  ['a packed attestation without signature', { format: 'packed' }],
  ['no id', { credentialId: '' }],
];

describe.each(oneDoor)('a forged passkey through $name', (door) => {
  it.each(atSignIn)('starts no session: %s', async (_, lies) => {
    const app = await withAda(door);
    const before = app.adapter.dump();
    const browser = app.visitor();
    expectRefused(app, await app.enter({ browser, lies }), REFUSED, browser);
    expect(app.adapter.dump()).toEqual({ ...before, spent: expect.anything() });
    expect(app.log.types()).toEqual([REFUSED]);
    expect(browser.cookies.has(CHALLENGE)).toBe(false);
    expect(await app.session(browser)).toBeNull();
  });

  it.each(atRegistration)('creates no user: %s', async (_, lies) => {
    const app = passkeyScene(door);
    expectRefused(app, await app.register('ada@example.com', { lies }), REFUSED);
    expect(app.adapter.dump()).toMatchObject({ users: [], accounts: [], authenticators: [], sessions: [] });
    expect(app.log.types()).toEqual([REFUSED]);
    expect(app.browser.cookies.has(CHALLENGE)).toBe(false);
  });

  it('is not added to the user who is signed in', async () => {
    const app = await withAda(door);
    const key = new SoftwareAuthenticator();
    const page = await app.add({ authenticator: key, lies: { origin: 'https://evil.test' } });
    expect(leadsTo(page)).toBe(`/auth/signin?error=${REFUSED}`);
    expect(app.adapter.dump()).toMatchObject({ accounts: [{}], authenticators: [{}] });
    expect(await app.session()).toMatchObject({ user: { email: 'ada@example.com' } });
  });

  it('shows the visitor the same error each time, and logs the reason', async () => {
    const app = await withAda(door);
    const browser = app.visitor();
    await app.enter({ browser, lies: { origin: 'https://evil.test' } });
    const shown = (await browser.get(`/auth/signin?error=${REFUSED}`)).text();
    expect(shown).toContain('Your passkey could not be verified.');
    expect(shown).not.toContain('evil');
    expect(app.log.errors[0]?.message).toContain('the passkey did not verify');
    expect(app.log.errors[0]?.cause).toMatchObject({ provider: 'passkey', err: { message: /evil\.test/ } });
  });

  const data: [what: string, data: string][] = [
    ['nothing', ''],
    ['no JSON', '{'],
    ['a list', '[]'],
    ['a text', '"x"'],
    ['null', 'null'],
    ['no id', '{"response":{}}'],
    ['an id that is none', JSON.stringify({ ...stranger, id: '%00' })],
    ['an empty id', JSON.stringify({ ...stranger, id: '' })],
    ['no response', JSON.stringify({ ...stranger, response: undefined })],
    ['a response that is a list', JSON.stringify({ ...stranger, response: [] })],
    ['client data that is none', JSON.stringify({ ...stranger, response: { clientDataJSON: 'AAAA' } })],
    ['client data that is a number', JSON.stringify({ ...stranger, response: { clientDataJSON: 1 } })],
    ['client data that is a list', JSON.stringify({ ...stranger, response: { clientDataJSON: 'W10' } })],
    ['members of a prototype', '{"__proto__":{"id":"AA"},"constructor":{"id":"AA"}}'],
  ];
  it.each(data)('is refused if it is not an answer: %s', async (_, text) => {
    const app = await withAda(door);
    for (const action of ['authenticate', 'register']) {
      const browser = app.visitor();
      await app.options({ action, email: 'new@example.com' }, browser);
      expectRefused(app, await app.answer(action, text, { browser }), REFUSED, browser);
      expect(browser.cookies.has(CHALLENGE)).toBe(false);
    }
    expect(app.adapter.dump().users).toHaveLength(1);
  });

  it.each(['', 'delete', 'Register', 'toString', '__proto__'])(
    'is refused without a known ceremony: action=%s',
    async (action) => {
      const app = await withAda(door);
      const browser = app.visitor();
      const { options } = await app.options({}, browser);
      const answer = app.phone.get(options, browser.origin);
      expectRefused(app, await app.answer(action, answer, { browser }), REFUSED, browser);
      // And the challenge is gone with it.
      const again = browser.clone();
      expectRefused(app, await app.answer('authenticate', answer, { browser: again }), 'InvalidCheck', again);
    },
  );

  it('signs in the owner of the key, even if the user handle names another user', async () => {
    const app = await withAda(door);
    const bob = app.visitor();
    const bobs = new SoftwareAuthenticator();
    await app.register('bob@example.com', { browser: bob, authenticator: bobs });
    const browser = app.visitor();
    const userHandle = app.phone.passkeys[0]?.userHandle ?? '';
    await app.enter({ browser, authenticator: bobs, lies: { userHandle } });
    expect(await app.session(browser)).toMatchObject({ user: { email: 'bob@example.com' } });
  });

  it('is a clone, which is detected after the owner has used the key', async () => {
    const app = await withAda(door);
    const clone = app.phone.clone();
    await app.enter({ browser: app.visitor() });
    for (const counter of [4, 3, 1, 0]) {
      const browser = app.visitor();
      expectRefused(app, await app.enter({ browser, authenticator: clone, lies: { counter } }), REFUSED, browser);
    }
    expect(app.adapter.dump().authenticators[0]?.counter).toBe(4);
    const owner = app.visitor();
    await app.enter({ browser: owner });
    expect(await app.session(owner)).toMatchObject({ user: { email: 'ada@example.com' } });
  });

  it('has unknown transports, which are not stored', async () => {
    const app = passkeyScene(door);
    const transports = ['internal', 'a,b', '<script>', 7, 'internal', 'x'.repeat(99), ...Array(50).fill('usb')];
    await app.register('ada@example.com', { lies: { transports } });
    await app.register('bob@example.com', {
      browser: app.visitor(),
      authenticator: new SoftwareAuthenticator(),
      lies: { transports: 'usb' },
    });
    const rows = app.adapter.dump().authenticators.map((row) => row.transports);
    expect(rows).toEqual(['internal,usb', null]);
  });
});

describe.each(oneDoor)("another user's passkey, through $name", (door) => {
  async function adaAndBob(): Promise<PasskeyScene & { bobs: SoftwareAuthenticator; bob: PasskeyScene['browser'] }> {
    const app = await withAda(door);
    const bobs = new SoftwareAuthenticator();
    const bob = app.visitor();
    await app.register('bob@example.com', { browser: bob, authenticator: bobs });
    return { ...app, bobs, bob };
  }

  it('is refused if another user was named', async () => {
    const app = await adaAndBob();
    for (const email of ['ada@example.com', 'unknown@example.com']) {
      const browser = app.visitor();
      const { options } = await app.options({ email }, browser);
      const [bobs] = app.bobs.passkeys;
      if (!bobs) throw new Error('Bob has no passkey');
      const page = await app.answer('authenticate', app.bobs.use(bobs, options, browser.origin), { browser });
      expectRefused(app, page, REFUSED, browser);
    }
  });

  it('does not replace the user who is signed in', async () => {
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

  it('cannot be registered at the same instant with another key', async () => {
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

  it('is refused if its rows belong to different users', async () => {
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
            app.adapter.store.authenticators.set(key, { ...row, userId: 'another-user' });
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
