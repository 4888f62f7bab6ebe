import { SoftwareAuthenticator } from '@latchkey/testing';
import { describe, expect, it } from 'vitest';
import type { SignInCallbackParams } from '../../src/types/config.ts';
import { oneDoor } from './doors.ts';
import { leadsTo, startsSession } from './scene.ts';
import { OWNER, type VerificationScene, verificationScene, WAITING } from './verification-scene.ts';

const OVER = '/auth/verify-request?provider=mail&type=email&error=Verification';

const ways = {
  'the code': (app: VerificationScene) => app.type(),
  'the link': (app: VerificationScene) => app.finish(app.link()),
};

/** Registers a passkey for a page of the application. */
const register = (app: VerificationScene, fields: Record<string, string> = {}) =>
  app.register(OWNER, { fields: { callbackUrl: '/in', ...fields } });

describe.each(oneDoor)('a passkey for a typed address, through $name', (door) => {
  describe.each(['jwt', 'database'] as const)('with %s sessions', (strategy) => {
    const config = { session: { strategy } };

    it.each(Object.entries(ways))('is stored with its user after %s', async (_, use) => {
      const app = verificationScene(door, { config });
      expect(leadsTo(await register(app))).toBe(WAITING);
      expect(app.adapter.dump()).toMatchObject({ users: [], accounts: [], authenticators: [], sessions: [] });
      const done = await use(app);
      expect([leadsTo(done), startsSession(done)]).toEqual(['/in', true]);
      expect(app.adapter.dump()).toMatchObject({
        users: [{ email: OWNER, emailVerified: app.clock.now() }],
        accounts: [{ provider: 'passkey' }],
        authenticators: [{ counter: 0 }],
        verificationTokens: [],
      });
      expect(app.told.map(([event]) => event)).toEqual(['createUser', 'linkAccount', 'signIn']);
      expect(startsSession(await app.enter({ browser: app.visitor() }))).toBe(true);
    });

    it('is added to the user who has the address, and signs in as that user', async () => {
      const app = verificationScene(door, { config });
      await app.adapter.createUser({ id: 'known', email: OWNER, emailVerified: new Date(0) });
      await register(app);
      expect(startsSession(await app.type())).toBe(true);
      expect(app.adapter.dump()).toMatchObject({ users: [{ id: 'known' }], authenticators: [{ userId: 'known' }] });
      const elsewhere = app.visitor();
      await app.enter({ browser: elsewhere });
      expect(await app.session(elsewhere)).toMatchObject({ user: { email: OWNER } });
    });
  });

  it('gets the same answer and the same mail whether or not a user has the address', async () => {
    const answers = [false, true].map(async (isTaken) => {
      const app = verificationScene(door);
      if (isTaken)
        await app.adapter.createUser({ id: 'known', email: OWNER, name: 'Olive', emailVerified: new Date(0) });
      const page = await register(app);
      const cookies = page.setCookies.map(({ name, value }) => [name, name === 'authjs.mail' ? value.length : 0]);
      const calls = app.adapter.calls.slice(isTaken ? 1 : 0).map(({ method }) => method);
      const mails = app.sent.map(({ identifier, verifies }) => [identifier, verifies]);
      return { status: page.status, location: page.location, cookies, calls, mails };
    });
    const [free, taken] = await Promise.all(answers);
    expect(taken).toEqual(free);
    expect(free?.mails).toEqual([[OWNER, { provider: 'passkey', name: 'Passkey' }]]);
  });

  it('has a cookie of the same length whether or not a user of `getUserInfo` exists', async () => {
    const lengths = [false, true].map(async (exists) => {
      const user = { id: 'known', email: OWNER, name: 'Olive' };
      const getUserInfo = async () =>
        exists ? { user, exists: true as const } : { user: { ...user, id: '' }, exists: false as const };
      const page = await register(verificationScene(door, { passkey: { getUserInfo } }));
      return page.setCookies.find(({ name }) => name === 'authjs.mail')?.value.length;
    });
    const [free, taken] = await Promise.all(lengths);
    expect(taken).toBe(free);
    expect(free).toBeGreaterThan(0);
  });

  it('removes the passkeys that were added before the address was proven', async () => {
    const app = verificationScene(door);
    const other = new SoftwareAuthenticator();
    app.config.providers.shift();
    await app.register(OWNER, { authenticator: other, browser: app.visitor() });
    expect(app.adapter.dump()).toMatchObject({ users: [{ emailVerified: null }], authenticators: [{}] });
    const next = verificationScene(door);
    for (const kind of ['users', 'accounts', 'authenticators'] as const)
      for (const [key, row] of app.adapter.store[kind]) next.adapter.store[kind].set(key, row as never);
    await register(next);
    expect(startsSession(await next.type())).toBe(true);
    expect(startsSession(await next.enter({ browser: next.visitor(), authenticator: other }))).toBe(false);
    expect(startsSession(await next.enter({ browser: next.visitor() }))).toBe(true);
  });

  it('is offered on the sign-in page, and the next page shows the address that was typed', async () => {
    const app = verificationScene(door);
    expect((await app.browser.get('/auth/signin?step=register')).text()).toContain('Create a passkey');
    const page = await app.browser.get(leadsTo(await register(app)) ?? '');
    expect(page.text()).toContain(OWNER);
    expect(page.text()).toContain('continue with <strong>Passkey</strong>');
  });

  it('has its address masked if `getUserInfo` of the application found it', async () => {
    const getUserInfo = async () => ({ user: { email: OWNER, name: 'olive' }, exists: false as const });
    const app = verificationScene(door, { passkey: { getUserInfo } });
    const page = await app.browser.get(leadsTo(await app.register('olive')) ?? '');
    expect(page.text()).toContain('o…@e….com');
    expect(page.text()).not.toContain(OWNER);
    await app.type();
    expect(app.adapter.dump().users).toMatchObject([{ email: OWNER, name: 'olive' }]);
  });

  it('is refused under a name that a user has, who has no address', async () => {
    const getUserInfo = async () => ({ user: { id: 'u1', name: 'olive' }, exists: true as const });
    const app = verificationScene(door, { passkey: { getUserInfo } });
    expect(leadsTo(await app.register('olive'))).toBe('/auth/signin?error=WebAuthnVerificationError');
    expect(app.sent).toEqual([]);
  });

  it('asks the `signIn` callback before the mail, and again before the user is created', async () => {
    const asked: unknown[] = [];
    const answer = { value: true };
    const signIn = ({ account, emailStatus }: SignInCallbackParams) => {
      asked.push([account?.type, emailStatus]);
      return answer.value;
    };
    const app = verificationScene(door, { config: { callbacks: { signIn } } });
    await register(app);
    expect(asked).toEqual([['webauthn', 'unknown']]);
    answer.value = false;
    expect(leadsTo(await app.type())).toBe('/auth/error?error=AccessDenied');
    expect(asked[1]).toEqual(['webauthn', 'verified']);
    expect(app.adapter.dump()).toMatchObject({ users: [], authenticators: [] });
  });

  it('waits through a mail that is sent again, and through a new one after five wrong codes', async () => {
    const app = verificationScene(door);
    await register(app);
    app.clock.advance(60);
    await app.post('signin/mail', {});
    expect(app.sent[1]?.code).toBe(app.sent[0]?.code);
    const old = app.code();
    for (let step = 1; step <= 5; step++) await app.type(String((Number(old) + step) % 1e8).padStart(8, '0'));
    expect(leadsTo(await app.type(old))).toBe(OVER);
    await app.post('signin/mail', {});
    expect(startsSession(await app.type())).toBe(true);
    expect(app.adapter.dump().authenticators).toHaveLength(1);
  });

  it('waits for the mail in its browser also where forms carry no CSRF token', async () => {
    const app = verificationScene(door, { call: { forms: 'same-origin' } });
    const { options } = await app.options({ email: OWNER, action: 'register' });
    const data = JSON.stringify(app.phone.create(options, app.browser.origin));
    await app.browser.post('/auth/callback/passkey', { action: 'register', data });
    expect(startsSession(await app.finish(app.link()))).toBe(true);
    expect(app.adapter.dump().authenticators).toHaveLength(1);
  });

  it('waits 15 minutes', async () => {
    const app = verificationScene(door, { mail: { maxAge: 86_400 } });
    await register(app);
    app.clock.advance(901);
    expect(leadsTo(await app.type())).toBe(OVER);
    expect(app.adapter.dump().authenticators).toEqual([]);
  });

  it.each([
    [512, WAITING],
    [513, '/auth/signin?error=WebAuthnVerificationError'],
  ])('may have an id of %i bytes: %s', async (bytes, target) => {
    const app = verificationScene(door);
    const lies = { credentialId: Buffer.alloc(bytes, 7).toString('base64url') };
    expect(leadsTo(await app.register(OWNER, { lies }))).toBe(target);
    expect(app.sent).toHaveLength(target === WAITING ? 1 : 0);
  });

  it('is refused if the cookie cannot hold it and its user', async () => {
    const email = `owner@${'a.'.repeat(110)}com`;
    const getUserInfo = async () => ({ user: { email, name: 'o'.repeat(700) }, exists: false as const });
    const cookies = { mail: { name: 'm'.repeat(400) } };
    const app = verificationScene(door, { passkey: { getUserInfo }, config: { cookies } });
    const authenticator = new SoftwareAuthenticator({ algorithm: 'RS256' });
    const lies = { credentialId: Buffer.alloc(512, 7).toString('base64url') };
    expect(leadsTo(await app.register('olive', { authenticator, lies }))).toBe('/auth/signin?error=EmailSignin');
    expect(app.sent).toEqual([]);
    expect(app.log.errors[0]?.message).toContain('the new passkey and its user are too long for a cookie');
    expect(app.log.errors[0]?.cause).toMatchObject({ provider: 'mail' });
  });
});
