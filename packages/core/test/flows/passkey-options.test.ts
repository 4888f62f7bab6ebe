import { memoryAdapter, SoftwareAuthenticator } from '@latchkey/testing';
import { describe, expect, it } from 'vitest';
import WebAuthn, { type WebAuthnConfig } from '../../src/providers/webauthn.ts';
import { oneDoor } from './doors.ts';
import { CHALLENGE, type PasskeyScene, passkeyScene } from './passkey-scene.ts';
import { expectConfiguration, expectRefused, fakeProvider, leadsTo, oidc } from './scene.ts';

const ORIGIN = 'http://localhost:3000';
const plain = (provider: Partial<WebAuthnConfig> = {}) => ({ config: { providers: [WebAuthn(provider)] } });

type Who = 'a signed-out visitor' | 'a signed-in visitor';
type Named = 'no address' | 'a known address' | 'an unknown address' | 'an invalid address';
const names: Record<Named, Record<string, string>> = {
  'no address': {},
  'a known address': { email: 'known@example.com' },
  'an unknown address': { email: 'unknown@example.com' },
  'an invalid address': { email: 'nonsense' },
};

const table: [who: Who, action: string | undefined, named: Named, answer: string][] = [
  ['a signed-out visitor', undefined, 'no address', 'authenticate'],
  ['a signed-out visitor', undefined, 'a known address', 'authenticate'],
  ['a signed-out visitor', undefined, 'an unknown address', 'authenticate'],
  ['a signed-out visitor', undefined, 'an invalid address', 'authenticate'],
  ['a signed-out visitor', 'authenticate', 'no address', 'authenticate'],
  ['a signed-out visitor', 'authenticate', 'a known address', 'authenticate'],
  ['a signed-out visitor', 'authenticate', 'an unknown address', 'authenticate'],
  ['a signed-out visitor', 'register', 'no address', 'Invalid request'],
  ['a signed-out visitor', 'register', 'an invalid address', 'Invalid request'],
  ['a signed-out visitor', 'register', 'a known address', 'register'],
  ['a signed-out visitor', 'register', 'an unknown address', 'register'],
  ['a signed-out visitor', 'delete', 'no address', 'Invalid action'],
  ['a signed-out visitor', '', 'no address', 'Invalid action'],
  ['a signed-in visitor', undefined, 'no address', 'Invalid request'],
  ['a signed-in visitor', undefined, 'a known address', 'Invalid request'],
  ['a signed-in visitor', 'authenticate', 'no address', 'authenticate'],
  ['a signed-in visitor', 'authenticate', 'an unknown address', 'authenticate'],
  ['a signed-in visitor', 'register', 'no address', 'register'],
  ['a signed-in visitor', 'register', 'a known address', 'register'],
];

describe.each(oneDoor)('webauthn-options through $name', (door) => {
  it.each(table)('%s who says %s and names %s: %s', async (who, action, named, answer) => {
    const app = passkeyScene(door);
    await app.register('known@example.com');
    const browser = who === 'a signed-in visitor' ? app.browser : app.visitor();
    const page = await app.ask({ ...names[named], ...(action !== undefined && { action }) }, browser);
    if (answer.startsWith('Invalid')) {
      expect(page.status).toBe(400);
      expect(page.json()).toEqual({ error: answer });
      expect(page.cookie(CHALLENGE)).toBeUndefined();
    } else {
      expect(page.status).toBe(200);
      expect(page.json()).toMatchObject({
        action: answer,
        options: { challenge: expect.stringMatching(/^[\w-]{43}$/) },
      });
      expect(page.cookie(CHALLENGE)?.value).toBeTruthy();
    }
    expect(page.headers.get('content-type')).toBe('application/json');
    expect(page.headers.get('cache-control')).toBe('private, no-cache, no-store');
    expect(app.log.errors).toEqual([]);
  });

  it('for a sign-in are those of WebAuthn, in the shape of Auth.js v5', async () => {
    const page = await passkeyScene(door).ask();
    expect(page.json()).toEqual({
      action: 'authenticate',
      options: {
        challenge: expect.any(String),
        timeout: 300_000,
        userVerification: 'required',
        rpId: 'localhost',
      },
    });
  });

  it('for a registration are those of WebAuthn, in the shape of Auth.js v5', async () => {
    const { options } = await passkeyScene(door).options({ action: 'register', email: 'Ada@example.com' });
    expect(options).toEqual({
      challenge: expect.any(String),
      rp: { name: 'localhost:3000', id: 'localhost' },
      user: { id: expect.stringMatching(/^[\w-]{43}$/), name: 'ada@example.com', displayName: 'ada@example.com' },
      pubKeyCredParams: [-8, -7, -257].map((alg) => ({ alg, type: 'public-key' })),
      timeout: 300_000,
      attestation: 'none',
      excludeCredentials: [],
      authenticatorSelection: { residentKey: 'required', userVerification: 'required', requireResidentKey: true },
      extensions: { credProps: true },
      hints: [],
    });
  });

  it('require only user verification of a security key', async () => {
    const app = passkeyScene(door, { id: 'webauthn' }, plain());
    const { options } = await app.options({ action: 'register', email: 'ada@example.com' });
    expect(options.authenticatorSelection).toMatchObject({ residentKey: 'preferred', userVerification: 'required' });
    expect((await app.options()).options.userVerification).toBe('required');
    const lenient = { requireUserVerification: false };
    const loose = passkeyScene(
      door,
      { id: 'webauthn' },
      plain({ verifyAuthenticationOptions: lenient, verifyRegistrationOptions: lenient }),
    );
    const { options: asked } = await loose.options({ action: 'register', email: 'ada@example.com' });
    expect(asked.authenticatorSelection).toMatchObject({ userVerification: 'preferred' });
    expect((await loose.options()).options.userVerification).toBe('preferred');
    const unlocked = { lies: { flags: { userVerified: false } } };
    expect(leadsTo(await loose.register('ada@example.com', unlocked))).toBe('/');
    expect(leadsTo(await loose.enter({ browser: loose.visitor(), ...unlocked }))).toBe('/');
  });

  it("include the provider's options, and never change them", async () => {
    const authenticatorSelection = Object.freeze({ residentKey: 'discouraged' as const });
    const provider = Object.freeze({
      authenticationOptions: { timeout: 1000, challenge: 'AAAA', rpID: 'evil.test' },
      registrationOptions: {
        timeout: 2000,
        supportedAlgorithmIDs: [-7],
        authenticatorSelection,
        challenge: 'AAAA',
        attestationType: 'direct' as const,
      },
    });
    const app = passkeyScene(door, provider as Partial<WebAuthnConfig>);
    const { options: used } = await app.options();
    expect(used).toMatchObject({ timeout: 1000, rpId: 'localhost', userVerification: 'required' });
    const { options: made } = await app.options({ action: 'register', email: 'ada@example.com' });
    expect(made).toMatchObject({
      timeout: 2000,
      pubKeyCredParams: [{ alg: -7 }],
      attestation: 'direct',
      authenticatorSelection: { residentKey: 'discouraged', userVerification: 'required', requireResidentKey: false },
    });
    for (const { challenge } of [used, made]) expect(challenge).toMatch(/^[\w-]{43}$/);
    expect(authenticatorSelection).toEqual({ residentKey: 'discouraged' });
  });

  it('have a new challenge each time', async () => {
    const app = passkeyScene(door);
    const drawn = await Promise.all(Array.from({ length: 20 }, () => app.options()));
    expect(new Set(drawn.map(({ options }) => options.challenge)).size).toBe(20);
  });

  it('name the site of the configuration or of a hook', async () => {
    const sites: [Partial<WebAuthnConfig>, { id: string; name: string }][] = [
      [{ relayingParty: { name: 'Shop' } }, { id: 'login.shop.test', name: 'Shop' }],
      [{ relayingParty: { id: 'shop.test', name: ['Shop', 'Store'] } }, { id: 'shop.test', name: 'Shop' }],
      [{ relayingParty: { id: ['shop.test', 'other.test'] } }, { id: 'shop.test', name: 'login.shop.test' }],
      [
        { getRelayingParty: ({ url }) => ({ id: 'shop.test', name: url.host, origin: url.origin }) },
        { id: 'shop.test', name: 'login.shop.test' },
      ],
    ];
    const named = passkeyScene(door, {}, { config: { theme: { name: 'Acme' } } });
    expect((await named.options({ action: 'register', email: 'a@b.test' })).options.rp).toMatchObject({ name: 'Acme' });
    for (const [provider, site] of sites) {
      const app = passkeyScene(door, provider, { origin: 'https://login.shop.test', call: { isOriginFixed: true } });
      expect((await app.options({ action: 'register', email: 'a@b.test' })).options.rp).toEqual(site);
      expect((await app.options()).options['rpId']).toBe(site.id);
      expect(leadsTo(await app.register())).toBe('/');
      expect(leadsTo(await app.enter({ browser: app.visitor() }))).toBe('/');
      expect(app.log.errors).toEqual([]);
    }
  });

  it('get the named user from a hook', async () => {
    const asked: unknown[] = [];
    const provider: Partial<WebAuthnConfig> = {
      formFields: { nick: { autocomplete: 'username webauthn' } },
      async getUserInfo({ adapter, provider: { id }, url }, { method, query }) {
        asked.push([id, url.pathname, method, query.nick]);
        const user = await adapter.getUserByEmail?.(`${query.nick}@nick.test`);
        if (!query.nick) return null;
        return user
          ? { user, exists: true }
          : { user: { email: `${query.nick}@Nick.test`, name: query.nick }, exists: false };
      },
    };
    const app = passkeyScene(door, provider);
    expect((await app.ask({ action: 'register' })).status).toBe(400);
    const { options } = await app.options({ action: 'register', nick: 'ada' });
    expect(options.user.name).toBe('ada@nick.test');
    await app.answer('register', app.phone.create(options, ORIGIN));
    expect(app.adapter.dump().users).toMatchObject([{ email: 'ada@nick.test', name: 'ada' }]);
    const used = await app.options({ nick: 'ada' }, app.visitor());
    expect(used.options.allowCredentials).toMatchObject([{ id: app.phone.passkeys[0]?.id }]);
    expect(asked).toContainEqual(['passkey', '/auth/webauthn-options/passkey', 'GET', 'ada']);
  });

  it('are refused for other providers, and for unknown ones', async () => {
    const fake = fakeProvider();
    const app = passkeyScene(door);
    app.config.providers.push(oidc(fake));
    expectRefused(app, await app.browser.get('/auth/webauthn-options/fake'), 'InvalidProvider');
    expectRefused(app, await app.browser.get('/auth/webauthn-options/unknown'), 'InvalidProvider');
    expectRefused(app, await app.browser.get('/auth/webauthn-options'), 'InvalidProvider');
    expect((await app.post('webauthn-options/passkey')).status).toBe(400);
  });

  it('are a configuration problem if the library is not installed', async () => {
    const simpleWebAuthn = async (): Promise<never> => {
      throw new Error('Cannot find package');
    };
    const app = passkeyScene(door, { simpleWebAuthn });
    expectConfiguration(app, await app.ask());
  });
});

describe.each(oneDoor)('the answers do not reveal who has an account, through $name', (door) => {
  /** Ada has a passkey, Bob is a user without a passkey, Eve and Dan are not users. */
  async function people(optional = true): Promise<PasskeyScene> {
    const app = passkeyScene(door, {}, optional ? {} : { adapter: memoryAdapter({ optional: false }) as never });
    await app.register('ada@example.com');
    await app.adapter.createUser({ id: crypto.randomUUID(), email: 'bob@example.com', emailVerified: null });
    return app;
  }
  const addresses = ['ada@example.com', 'bob@example.com', 'eve@example.com', 'dan@example.com'];

  it.each(['authenticate', 'register', ''])(
    'action=%s: by status, headers, members, cookies and calls',
    async (action) => {
      const app = await people();
      const answers = await Promise.all(
        addresses.map(async (email) => {
          const calls = app.adapter.calls.length;
          const page = await app.ask({ email, ...(action !== '' && { action }) }, app.visitor());
          const cookie = page.cookie(CHALLENGE);
          const { action: answered, options } = page.json<{ action: string; options: Record<string, unknown> }>();
          return {
            calls: app.adapter.calls.length - calls > 0,
            status: page.status,
            headers: [...page.headers.keys()].sort(),
            answered,
            members: Object.keys(options),
            cookie: { ...cookie, value: cookie?.value.length, line: cookie?.line.length, expires: undefined },
            excluded: options['excludeCredentials'],
            timeout: options['timeout'],
          };
        }),
      );
      for (const answer of answers) expect(answer).toEqual(answers[0]);
    },
  );

  it('by the number of queries to the store', async () => {
    const app = await people();
    const counted: number[] = [];
    for (const email of addresses) {
      const before = app.adapter.calls.length;
      await app.ask({ email }, app.visitor());
      counted.push(app.adapter.calls.length - before);
    }
    expect(counted).toEqual([2, 2, 2, 2]);
  });

  it('by credentials: unknown names have plausible ones, the same each time', async () => {
    const app = await people();
    const of = async (email: string) => (await app.options({ email }, app.visitor())).options.allowCredentials ?? [];
    const looks = new Set<string>();
    for (let index = 0; index < 120; index++) {
      const email = `unknown-${index}@example.com`;
      const list = (await of(email)) as { id: string; type: string; transports: string[] }[];
      expect([1, 2]).toContain(list.length);
      expect(await of(email.toUpperCase())).toEqual(list);
      for (const { id, type, transports } of list) {
        expect(type).toBe('public-key');
        looks.add(`${Buffer.from(id, 'base64url').length} ${transports}`);
      }
    }
    expect([...looks].sort()).toEqual([
      '16 hybrid,internal',
      '20 hybrid,internal',
      '32 hybrid,internal',
      '32 internal',
      '48 nfc,usb',
      '64 nfc,usb',
    ]);
    expect(await of('bob@example.com')).not.toEqual([]);
    expect(await of('bob@example.com')).toEqual(await of('bob@example.com'));
    expect(await of('ada@example.com')).toMatchObject([{ id: app.phone.passkeys[0]?.id }]);
  });

  it('by the order of transports, which is alphabetical as that of decoys', async () => {
    const app = passkeyScene(door);
    const authenticator = new SoftwareAuthenticator({ transports: ['usb', 'internal', 'hybrid'] });
    await app.register('ada@example.com', { authenticator });
    const { options } = await app.options({ action: 'authenticate', email: 'ada@example.com' }, app.visitor());
    expect(options.allowCredentials).toMatchObject([{ transports: ['hybrid', 'internal', 'usb'] }]);
  });

  it('by the number of credentials: two at most, the same each time in any order of the store', async () => {
    const app = passkeyScene(door);
    const keys = Array.from({ length: 4 }, () => new SoftwareAuthenticator());
    await app.register('ada@example.com', { authenticator: keys[0] as SoftwareAuthenticator });
    for (const authenticator of keys.slice(1)) await app.add({ authenticator });
    const ids = async (browser = app.visitor()) =>
      (await app.options({ action: 'authenticate', email: 'ada@example.com' }, browser)).options.allowCredentials?.map(
        ({ id }) => id,
      );
    const listed = await ids();
    expect(listed).toHaveLength(2);
    const list = app.adapter.listAuthenticatorsByUserId;
    app.adapter.listAuthenticatorsByUserId = async (id) => [...((await list?.(id)) ?? [])].reverse();
    expect(await ids()).toEqual(listed);
    // All of them sign in nevertheless, and are named to their owner.
    for (const authenticator of keys)
      expect(leadsTo(await app.enter({ authenticator, browser: app.visitor() }))).toBe('/');
    expect(await ids(app.browser)).toHaveLength(4);
  });

  it('by a new secret: decoys change when the oldest secret is removed, and not before', async () => {
    const [newest, middle, oldest] = ['n', 'm', 'o'].map((letter) => letter.repeat(32)) as [string, string, string];
    const of = async (...secret: string[]) =>
      (await passkeyScene(door, {}, { config: { secret } }).options({ email: 'eve@example.com' })).options
        .allowCredentials;
    const before = await of(oldest);
    expect(await of(middle, oldest)).toEqual(before);
    expect(await of(newest, middle, oldest)).toEqual(before);
    expect(await of(newest, middle)).not.toEqual(before);
  });

  it('by decoys that another site has, too', async () => {
    const of = async (secret: string) =>
      (await passkeyScene(door, {}, { config: { secret } }).options({ email: 'eve@example.com' })).options;
    expect((await of('s'.repeat(32))).allowCredentials).not.toEqual((await of('t'.repeat(32))).allowCredentials);
  });

  it('by the error of the post: a taken address is refused like a passkey that did not verify', async () => {
    const app = await people();
    const browser = app.visitor();
    expectRefused(
      app,
      await app.register('bob@example.com', { browser, authenticator: app.phone.clone() }),
      'WebAuthnVerificationError',
      browser,
    );
    expect(app.adapter.dump()).toMatchObject({ users: [{}, {}], accounts: [{}], authenticators: [{}] });
    const wrong = { browser, lies: { origin: 'https://evil.test' } };
    expectRefused(app, await app.register('new@example.com', wrong), 'WebAuthnVerificationError', browser);
    expect(app.adapter.dump().users).toHaveLength(2);
  });

  /** Names instead of addresses; a new user has more members than one who is known may show. */
  const byNick: Partial<WebAuthnConfig> = {
    async getUserInfo({ adapter }, { query: { nick } }) {
      const user = await adapter.getUser?.(`id-${nick}`);
      if (!nick) return null;
      return user
        ? { user, exists: true }
        : { user: { name: nick, image: 'https://i.test/avatar.png' }, exists: false };
    },
  };

  it('by the length of the cookie, even if a hook adds data of new users', async () => {
    const app = passkeyScene(door, byNick);
    await app.adapter.createUser({ id: 'id-ada', name: 'ada', emailVerified: null } as never);
    const lengths = ['ada', 'eve'].map(async (nick) => {
      const page = await app.ask({ action: 'register', nick }, app.visitor());
      return [page.status, page.cookie(CHALLENGE)?.value.length];
    });
    const [known, unknown] = await Promise.all(lengths);
    expect(known).toEqual(unknown);
  });

  it('by the error of the post: a taken name without an address is refused, too', async () => {
    const app = passkeyScene(door, byNick);
    await app.adapter.createUser({ id: 'id-ada', name: 'ada', emailVerified: null } as never);
    const { options } = await app.options({ action: 'register', nick: 'ada' });
    expect(options.user).toMatchObject({ name: 'ada', displayName: 'ada' });
    const page = await app.answer('register', app.phone.create(options, ORIGIN));
    expectRefused(app, page, 'WebAuthnVerificationError');
    expect(app.adapter.dump()).toMatchObject({ users: [{ id: 'id-ada' }], accounts: [], authenticators: [] });
    const { options: free } = await app.options({ action: 'register', nick: 'eve' });
    expect(leadsTo(await app.answer('register', app.phone.create(free, ORIGIN)))).toBe('/');
    expect(app.adapter.dump().users[1]).toMatchObject({ name: 'eve', image: 'https://i.test/avatar.png' });
  });

  it('by the name of an existing user, which is not shown', async () => {
    const app = await people();
    await app.adapter.createUser({
      id: crypto.randomUUID(),
      email: 'cy@example.com',
      name: 'Cyrus the Great',
      image: 'https://cy.test/i.png',
      emailVerified: null,
    });
    const page = await app.ask({ action: 'register', email: 'cy@example.com' }, app.visitor());
    expect(page.text()).not.toContain('Cyrus');
    expect(page.json()).toMatchObject({ options: { user: { name: 'cy@example.com', displayName: 'cy@example.com' } } });
  });
});
