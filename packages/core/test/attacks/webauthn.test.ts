import { type PasskeyLies, SoftwareAuthenticator } from '@latchkey/testing';
import { describe, expect, it } from 'vitest';
import { doors } from '../flows/doors.ts';
import { CHALLENGE, passkeyScene } from '../flows/passkey-scene.ts';
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
