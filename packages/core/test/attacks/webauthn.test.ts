import { type PasskeyAnswer, type PasskeyLies, SoftwareAuthenticator } from '@latchkey/testing';
import { describe, expect, it } from 'vitest';
import { seal } from '../../src/crypto/seal.ts';
import { doors } from '../flows/doors.ts';
import { CHALLENGE, type PasskeyScene, passkeyScene } from '../flows/passkey-scene.ts';
import { expectRefused, leadsTo, SECRET } from '../flows/scene.ts';

const REFUSED = 'WebAuthnVerificationError';
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

/** What may be lied about in either ceremony. */
const lies: [what: string, lies: PasskeyLies][] = [
  ['another origin', { origin: 'https://evil.test' }],
  ['an origin that only begins like ours', { origin: 'http://localhost:3000.evil.test' }],
  ['our origin with a slash', { origin: 'http://localhost:3000/' }],
  ['our host at another port', { origin: 'http://localhost:3001' }],
  ['our host by another scheme', { origin: 'https://localhost:3000' }],
  ['a host below ours', { origin: 'http://sub.localhost:3000' }],
  ['no origin', { origin: 'null' }],
  ['another site (rpId)', { rpId: 'evil.test' }],
  ['the host with its port as rpId', { rpId: 'localhost:3000' }],
  ['another type of client data', { type: 'payment.get' }],
  ['no type', { type: '' }],
  ['another challenge', { challenge: 'A'.repeat(43) }],
  ['no challenge', { challenge: '' }],
  ['nobody present', { flags: { userPresent: false } }],
  ['nobody verified', { flags: { userVerified: false } }],
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
  ['an attestation that is none', { format: 'none', statement: new Map([['sig', new Uint8Array(8)]]) }],
  ['an unknown format', { format: 'self-made' }],
  ['a packed attestation without signature', { format: 'packed' }],
  ['no id', { credentialId: '' }],
];

/** Ada has a passkey that was used three times; somebody else's browser. */
async function withAda(door: (typeof doors)[number]): Promise<PasskeyScene> {
  const app = passkeyScene(door);
  await app.register();
  for (const _ of [1, 2, 3]) await app.enter({ browser: app.visitor() });
  return app;
}

describe.each(doors)('a forged passkey through $name', (door) => {
  it.each(atSignIn)('signs nobody in: %s', async (_, lies) => {
    const app = await withAda(door);
    const before = app.adapter.dump();
    const browser = app.visitor();
    expectRefused(app, await app.enter({ browser, lies }), REFUSED, browser);
    expect(app.adapter.dump()).toEqual({ ...before, spent: expect.anything() });
    expect(app.log.types()).toEqual([REFUSED]);
    expect(browser.cookies.has(CHALLENGE)).toBe(false);
    expect(await app.session(browser)).toBeNull();
  });

  it.each(atRegistration)('makes no user: %s', async (_, lies) => {
    const app = passkeyScene(door);
    expectRefused(app, await app.register('ada@example.com', { lies }), REFUSED);
    expect(app.adapter.dump()).toMatchObject({ users: [], accounts: [], authenticators: [], sessions: [] });
    expect(app.log.types()).toEqual([REFUSED]);
    expect(app.browser.cookies.has(CHALLENGE)).toBe(false);
  });

  it('adds none to the user who is signed in', async () => {
    const app = await withAda(door);
    const key = new SoftwareAuthenticator();
    const page = await app.add({ authenticator: key, lies: { origin: 'https://evil.test' } });
    expect(leadsTo(page)).toBe(`/auth/signin?error=${REFUSED}`);
    expect(app.adapter.dump()).toMatchObject({ accounts: [{}], authenticators: [{}] });
    expect(await app.session()).toMatchObject({ user: { email: 'ada@example.com' } });
  });

  it('tells the visitor one thing, and the log the reason', async () => {
    const app = await withAda(door);
    const browser = app.visitor();
    await app.enter({ browser, lies: { origin: 'https://evil.test' } });
    const shown = (await browser.get(`/auth/signin?error=${REFUSED}`)).text();
    expect(shown).toContain('Your passkey could not be checked.');
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
  it.each(data)('is no answer at all: %s', async (_, text) => {
    const app = await withAda(door);
    for (const action of ['authenticate', 'register']) {
      const browser = app.visitor();
      await app.options({ action, email: 'new@example.com' }, browser);
      expectRefused(app, await app.answer(action, text, { browser }), REFUSED, browser);
      expect(browser.cookies.has(CHALLENGE)).toBe(false);
    }
    expect(app.adapter.dump().users).toHaveLength(1);
  });

  it.each(['', 'delete', 'Register', 'toString', '__proto__'])('does not say what it is: action=%s', async (action) => {
    const app = await withAda(door);
    const browser = app.visitor();
    const { options } = await app.options({}, browser);
    const answer = app.phone.get(options, browser.origin);
    expectRefused(app, await app.answer(action, answer, { browser }), REFUSED, browser);
    // And the challenge is gone with it.
    const again = browser.clone();
    expectRefused(app, await app.answer('authenticate', answer, { browser: again }), 'InvalidCheck', again);
  });

  it('says that it is somebody else’s (user handle): the owner of the key is signed in', async () => {
    const app = await withAda(door);
    const bob = app.visitor();
    const bobs = new SoftwareAuthenticator();
    await app.register('bob@example.com', { browser: bob, authenticator: bobs });
    const browser = app.visitor();
    const userHandle = app.phone.passkeys[0]?.userHandle ?? '';
    await app.enter({ browser, authenticator: bobs, lies: { userHandle } });
    expect(await app.session(browser)).toMatchObject({ user: { email: 'bob@example.com' } });
  });

  it('is a clone, which is found out when the owner has used the key since', async () => {
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

  it('has ways to be reached that are none: they are not kept', async () => {
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

describe.each(doors)('a challenge through $name', (door) => {
  const begin = async (app: PasskeyScene, browser = app.visitor()) => {
    const { options } = await app.options({ action: 'authenticate' }, browser);
    return { browser, answer: app.phone.get(options, browser.origin) };
  };

  it.each(['with', 'without'])('is answered once, %s copied cookies', async (copied) => {
    const app = await withAda(door);
    const { browser, answer } = await begin(app);
    const copy = browser.clone();
    await app.answer('authenticate', answer, { browser });
    expect(await app.session(browser)).not.toBeNull();
    const again = copied === 'with' ? copy : browser;
    const sessions = app.adapter.dump().sessions.length;
    const page = await app.answer('authenticate', answer, { browser: again });
    expect(leadsTo(page)).toBe('/auth/signin?error=InvalidCheck');
    expect(app.adapter.dump().sessions).toHaveLength(sessions);
  });

  it('is spent before it is judged: a first try that fails leaves nothing for a second one', async () => {
    const app = await withAda(door);
    const { browser, answer } = await begin(app);
    const copy = browser.clone();
    expectRefused(app, await app.answer('authenticate', '{}', { browser }), REFUSED, browser);
    expectRefused(app, await app.answer('authenticate', answer, { browser: copy }), 'InvalidCheck', copy);
  });

  it('is answered once by two posts of the same instant', async () => {
    const app = await withAda(door);
    const { browser, answer } = await begin(app);
    const others = [browser, browser.clone(), browser.clone()];
    await Promise.all(others.map((by) => app.answer('authenticate', answer, { browser: by })));
    const sessions = await Promise.all(others.map((by) => app.session(by)));
    expect(sessions.filter(Boolean)).toHaveLength(1);
  });

  it('is good for one ceremony', async () => {
    const app = await withAda(door);
    const browser = app.visitor();
    const used = await app.options({ action: 'authenticate' }, browser);
    const creation = { ...used.options, user: { id: 'AA', name: 'x', displayName: 'x' } };
    const made = new SoftwareAuthenticator().create(
      { ...creation, rp: { id: 'localhost', name: 'x' }, pubKeyCredParams: [{ alg: -7 }] },
      browser.origin,
    );
    expectRefused(app, await app.answer('register', made, { browser }), 'InvalidCheck', browser);
    const { options } = await app.options({ action: 'register', email: 'new@example.com' }, browser);
    const answer = app.phone.get({ challenge: options.challenge, rpId: 'localhost' }, browser.origin);
    expectRefused(app, await app.answer('authenticate', answer, { browser }), 'InvalidCheck', browser);
    expect(app.adapter.dump().users).toHaveLength(1);
  });

  it('is good for one provider', async () => {
    const app = passkeyScene(door);
    const { default: WebAuthn } = await import('../../src/providers/webauthn.ts');
    app.config.providers.push(WebAuthn({ enableConditionalUI: false }));
    await app.register();
    const { browser, answer } = await begin(app);
    const page = await app.post('callback/webauthn', { action: 'authenticate', data: JSON.stringify(answer) }, browser);
    expectRefused(app, page, 'InvalidCheck', browser);
  });

  it('is good in the browser that asked for it, for a quarter of an hour', async () => {
    const app = await withAda(door);
    const { answer } = await begin(app);
    const without = app.visitor();
    expectRefused(app, await app.answer('authenticate', answer, { browser: without }), 'InvalidCheck', without);
    const other = await begin(app);
    expectRefused(app, await app.answer('authenticate', answer, { browser: other.browser }), REFUSED, other.browser);
    const late = await begin(app);
    const { value } = late.browser.cookies.get(CHALLENGE) ?? {};
    app.clock.advance(15 * 60 + 16);
    late.browser.cookies.set(CHALLENGE, value ?? '');
    expectRefused(app, await app.answer('authenticate', late.answer, late), 'InvalidCheck', late.browser);
    const intime = await begin(app);
    app.clock.advance(14 * 60);
    await app.answer('authenticate', intime.answer, intime);
    expect(await app.session(intime.browser)).not.toBeNull();
  });

  it.each(['', 'garbage', 'eyJhbGciOiJkaXIifQ..AA.AA.AA'])('that is none is refused: "%s"', async (value) => {
    const app = await withAda(door);
    const { browser, answer } = await begin(app);
    browser.cookies.set(CHALLENGE, value);
    expectRefused(app, await app.answer('authenticate', answer, { browser }), 'InvalidCheck', browser);
  });

  it('names somebody to register, or is none', async () => {
    const app = passkeyScene(door);
    const sealing = { secrets: [SECRET], maxAge: 900, now: app.clock.now() };
    const challenge = 'A'.repeat(43);
    const value = await seal({ challenge, ceremony: 'register' }, { ...sealing, salt: 'encodedWebauthnChallenge' });
    app.browser.cookies.set(CHALLENGE, await seal({ value, provider: 'passkey' }, { ...sealing, salt: CHALLENGE }));
    const user = { id: 'AA', name: 'x', displayName: 'x' };
    const rp = { id: 'localhost', name: 'x' };
    const made = app.phone.create({ challenge, rp, user, pubKeyCredParams: [{ alg: -7 }] }, app.browser.origin);
    expectRefused(app, await app.answer('register', made), 'InvalidCheck');
    expect(app.adapter.dump().users).toEqual([]);
  });

  it('of another purpose is refused: the session is no challenge, and the challenge no session', async () => {
    const app = passkeyScene(door, {}, { config: { session: { strategy: 'jwt' } } });
    await app.register();
    const { browser, answer } = await begin(app);
    const challenge = browser.cookies.get(CHALLENGE)?.value ?? '';
    browser.cookies.set(CHALLENGE, app.browser.cookies.get('authjs.session-token')?.value ?? '');
    expectRefused(app, await app.answer('authenticate', answer, { browser }), 'InvalidCheck', browser);
    browser.cookies.set('authjs.session-token', challenge);
    expect(await app.session(browser)).toBeNull();
  });

  it('for a further passkey is void once the user has signed out, or changed', async () => {
    const app = await withAda(door);
    const key = new SoftwareAuthenticator();
    const { options } = await app.options({ action: 'register' });
    const made = key.create(options, app.browser.origin);
    const copy = app.browser.clone();
    await app.post('signout', {}, app.browser);
    expectRefused(app, await app.answer('register', made), 'InvalidCheck');
    // Bob's session in the browser where Ada asked.
    const bob = app.visitor();
    await app.register('bob@example.com', { browser: bob, authenticator: new SoftwareAuthenticator() });
    copy.cookies.set('authjs.session-token', bob.cookies.get('authjs.session-token')?.value ?? '');
    const { options: asked } = await app.options({ action: 'register' }, bob);
    expect(asked.user.name).toBe('bob@example.com');
    const page = await app.answer('register', made, { browser: copy });
    expect(leadsTo(page)).toBe('/auth/signin?error=InvalidCheck');
    expect(app.adapter.dump().authenticators).toHaveLength(2);
  });

  it('that was asked for signed out does not add to whoever is signed in at the end', async () => {
    const app = await withAda(door);
    const browser = app.visitor();
    const { options } = await app.options({ action: 'register', email: 'mallory@example.com' }, browser);
    const made = new SoftwareAuthenticator().create(options, browser.origin);
    browser.cookies.set('authjs.session-token', app.browser.cookies.get('authjs.session-token')?.value ?? '');
    await app.answer('register', made, { browser });
    const { users, authenticators } = app.adapter.dump();
    expect(users.map(({ email }) => email)).toEqual(['ada@example.com', 'mallory@example.com']);
    expect(authenticators[1]?.userId).toBe(users[1]?.id);
  });

  it('names whom it is for: the address in the post plays no part', async () => {
    const app = passkeyScene(door);
    await app.register('ada@example.com', { fields: {} });
    const browser = app.visitor();
    const { options } = await app.options({ action: 'register', email: 'mallory@example.com' }, browser);
    const made: PasskeyAnswer = new SoftwareAuthenticator().create(options, browser.origin);
    await app.answer('register', made, { browser, fields: { email: 'ada@example.com', userId: 'x' } });
    expect(await app.session(browser)).toMatchObject({ user: { email: 'mallory@example.com' } });
  });

  it('for an address that was taken meanwhile makes no second user, and joins no other', async () => {
    const app = passkeyScene(door);
    const browser = app.visitor();
    const { options } = await app.options({ action: 'register', email: 'ada@example.com' }, browser);
    await app.register('ada@example.com');
    const made = new SoftwareAuthenticator().create(options, browser.origin);
    expectRefused(app, await app.answer('register', made, { browser }), REFUSED, browser);
    expect(app.adapter.dump()).toMatchObject({ users: [{}], accounts: [{}], authenticators: [{}] });
  });
});

describe.each(doors)('a post from elsewhere through $name', (door) => {
  it('is refused without our token, and from another site', async () => {
    const app = await withAda(door);
    const browser = app.visitor();
    const { csrfToken } = (await browser.get('/auth/csrf')).json<{ csrfToken: string }>();
    const { options } = await app.options({ action: 'authenticate' }, browser);
    const fields = { action: 'authenticate', data: JSON.stringify(app.phone.get(options, browser.origin)) };
    const posts: [fields: Record<string, string>, site: 'same-origin' | 'cross-site'][] = [
      [fields, 'same-origin'],
      [{ ...fields, csrfToken: 'x'.repeat(64) }, 'same-origin'],
      [{ ...fields, csrfToken }, 'cross-site'],
    ];
    for (const [body, site] of posts) {
      const page = await browser.post('/auth/callback/passkey', body, { site });
      expectRefused(app, page, 'MissingCSRF', browser);
    }
    const page = await browser.post('/auth/callback/passkey', { ...fields, csrfToken });
    expect(leadsTo(page)).toBe('/');
  });
});
