import { type PasskeyAnswer, SoftwareAuthenticator } from '@latchkey/testing';
import { describe, expect, it } from 'vitest';
import { seal } from '../../src/crypto/seal.ts';
import { oneDoor } from '../flows/doors.ts';
import { CHALLENGE, type PasskeyScene, passkeyScene } from '../flows/passkey-scene.ts';
import { expectRefused, leadsTo, SECRET } from '../flows/scene.ts';
import { REFUSED, withAda } from './webauthn-scene.ts';

const CSRF = 'authjs.csrf-token';

describe.each(oneDoor)('a challenge through $name', (door) => {
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

  it('is valid only in the browser that asked for it', async () => {
    const app = await withAda(door);
    const visitor = app.visitor();
    await app.session(visitor);
    const { browser, answer } = await begin(app, visitor);
    const other = app.visitor();
    await app.session(other);
    other.cookies.set(CHALLENGE, browser.cookies.get(CHALLENGE)?.value ?? '');
    expectRefused(app, await app.answer('authenticate', answer, { browser: other }), 'InvalidCheck', other);
    expect(app.log.errors[0]?.cause).toMatchObject({ provider: 'passkey', check: 'browser' });
  });

  it('is not replaced if another site opens the address of the options', async () => {
    const app = await withAda(door);
    const { browser, answer } = await begin(app);
    const opened = await browser.get('/auth/webauthn-options/passkey', { site: 'cross-site' });
    expect([opened.status, opened.setCookies]).toEqual([400, []]);
    await app.answer('authenticate', answer, { browser });
    expect(await app.session(browser)).not.toBeNull();
  });

  it('is valid if a new browser asks for challenge and session at once, and keeps the CSRF cookie of the latter', async () => {
    const app = await withAda(door);
    const { browser, answer } = await begin(app);
    const other = app.visitor();
    await app.session(other);
    browser.cookies.set(CSRF, other.cookies.get(CSRF)?.value ?? '');
    expect((await app.answer('authenticate', answer, { browser })).location).toBe('http://localhost:3000');
    expect(await app.session(browser)).not.toBeNull();
  });

  it('is spent before the answer is verified: a failed try cannot be repeated', async () => {
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

  it('is valid for one ceremony', async () => {
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

  it('is valid for one provider', async () => {
    const app = passkeyScene(door);
    const { default: WebAuthn } = await import('../../src/providers/webauthn.ts');
    app.config.providers.push(WebAuthn({ enableConditionalUI: false }));
    await app.register();
    const { browser, answer } = await begin(app);
    const page = await app.post('callback/webauthn', { action: 'authenticate', data: JSON.stringify(answer) }, browser);
    expectRefused(app, page, 'InvalidCheck', browser);
  });

  it('is valid with the cookie of its browser, for 15 minutes', async () => {
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

  it.each(['', 'garbage', 'eyJhbGciOiJkaXIifQ..AA.AA.AA'])('that is malformed is refused: "%s"', async (value) => {
    const app = await withAda(door);
    const { browser, answer } = await begin(app);
    browser.cookies.set(CHALLENGE, value);
    expectRefused(app, await app.answer('authenticate', answer, { browser }), 'InvalidCheck', browser);
  });

  it('for a registration must name a user', async () => {
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

  it('is not interchangeable with the session token', async () => {
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

  it('that was issued to a signed-out visitor adds no passkey to a user who is signed in later', async () => {
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

  it('names its user: the address in the POST is ignored', async () => {
    const app = passkeyScene(door);
    await app.register('ada@example.com', { fields: {} });
    const browser = app.visitor();
    const { options } = await app.options({ action: 'register', email: 'mallory@example.com' }, browser);
    const made: PasskeyAnswer = new SoftwareAuthenticator().create(options, browser.origin);
    await app.answer('register', made, { browser, fields: { email: 'ada@example.com', userId: 'x' } });
    expect(await app.session(browser)).toMatchObject({ user: { email: 'mallory@example.com' } });
  });

  it('for an address that was taken meanwhile creates no second user, and is not linked', async () => {
    const app = passkeyScene(door);
    const browser = app.visitor();
    const { options } = await app.options({ action: 'register', email: 'ada@example.com' }, browser);
    await app.register('ada@example.com');
    const made = new SoftwareAuthenticator().create(options, browser.origin);
    expectRefused(app, await app.answer('register', made, { browser }), REFUSED, browser);
    expect(app.adapter.dump()).toMatchObject({ users: [{}], accounts: [{}], authenticators: [{}] });
  });
});

describe.each(oneDoor)('a cross-site POST, through $name', (door) => {
  it('is refused without a CSRF token, and from another site', async () => {
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
