import type { PasskeyAnswer } from '@latchkey/testing';
import { describe, expect, it } from 'vitest';
import { seal } from '../../src/crypto/seal.ts';
import { oneDoor } from './doors.ts';
import { CHALLENGE, type Options, type PasskeyScene, passkeyScene } from './passkey-scene.ts';
import { expectRefused, later, leadsTo, SECRET, startsSession } from './scene.ts';

/** Puts a challenge into the browser as Auth.js writes it: without the ceremony. */
async function plant(app: PasskeyScene, payload: object): Promise<void> {
  const sealing = { secrets: [SECRET], maxAge: 900, now: app.clock.now() };
  const value = await seal(payload, { ...sealing, salt: 'encodedWebauthnChallenge' });
  app.browser.cookies.set(CHALLENGE, await seal({ value, provider: 'passkey' }, { ...sealing, salt: CHALLENGE }));
}

const challenge = 'A'.repeat(43);
const rp = { id: 'localhost', name: 'x' };
const pubKeyCredParams = [{ alg: -7 }];

describe.each(oneDoor)('an answer with padded base64url through $name', (door) => {
  const padded = (text: string): string => text.padEnd(Math.ceil(text.length / 4) * 4, '=');
  const withPadding = ({ id, rawId, response, ...rest }: PasskeyAnswer): PasskeyAnswer => {
    const texts = Object.entries(response).map(([name, value]) => [
      name,
      typeof value === 'string' ? padded(value) : value,
    ]);
    return { ...rest, id: padded(id), rawId: padded(rawId), response: Object.fromEntries(texts) };
  };

  // The length of the origin decides how much padding the client data has.
  it.each(['http://localhost:3000', 'http://localhost:300', 'http://localhost:30'])(
    'registers a passkey and signs in, at %s',
    async (origin) => {
      const app = passkeyScene(door, {}, { origin });
      const { options } = await app.options({ action: 'register', email: 'ada@example.com' });
      expect(leadsTo(await app.answer('register', withPadding(app.phone.create(options, origin))))).toBe('/');
      const browser = app.visitor();
      const asked = await app.options({ action: 'authenticate' }, browser);
      const used = withPadding(app.phone.get(asked.options, origin));
      expect(JSON.stringify(used)).toContain('=');
      expect(leadsTo(await app.answer('authenticate', used, { browser }))).toBe('/');
      expect(await app.session(browser)).toMatchObject({ user: { email: 'ada@example.com' } });
    },
  );
});

describe.each(oneDoor)('the challenge of a passkey through $name', (door) => {
  it('that is missing is named in the log, and no missing cookie is cleared', async () => {
    const app = passkeyScene(door);
    await app.register();
    const browser = app.visitor();
    const { options } = await app.options({ action: 'authenticate' }, browser);
    browser.cookies.delete(CHALLENGE);
    const page = await app.answer('authenticate', app.phone.get(options, browser.origin), { browser });
    expect(leadsTo(page)).toBe('/auth/signin?error=InvalidCheck');
    expect(page.cookie(CHALLENGE)).toBeUndefined();
    expect(app.log.errors[0]?.message).toMatch(/^no challenge belongs to this answer/);
    expect(app.log.errors[0]?.cause).toMatchObject({ provider: 'passkey', check: 'challenge' });
  });

  it.each([
    [914, true],
    [915, false],
  ])('that is answered after %i seconds counts: %s', async (seconds, counts) => {
    const app = passkeyScene(door);
    const { options } = await app.options({ email: 'ada@example.com', action: 'register' });
    expect(options['timeout']).toBe(300_000);
    await later(app, seconds);
    const page = await app.answer('register', app.phone.create(options, app.browser.origin));
    if (counts) expect(startsSession(page)).toBe(true);
    else expectRefused(app, page, 'InvalidCheck');
  });

  it('that was answered before is named in the log', async () => {
    const app = passkeyScene(door);
    await app.register();
    const browser = app.visitor();
    const { options } = await app.options({ action: 'authenticate' }, browser);
    const copy = browser.clone();
    const answer = app.phone.get(options, browser.origin);
    await app.answer('authenticate', answer, { browser });
    await app.answer('authenticate', answer, { browser: copy });
    expect(app.log.errors[0]?.message).toMatch(/^this challenge was answered before/);
    expect(app.log.errors[0]?.cause).toMatchObject({ provider: 'passkey', check: 'once' });
  });

  it('of Auth.js is for a registration if it names a user to register, and otherwise for a sign-in', async () => {
    const app = passkeyScene(door);
    await plant(app, { challenge, registerData: { email: 'ada@example.com' } });
    const user = { id: 'AA', name: 'x', displayName: 'x' };
    await app.answer('register', app.phone.create({ challenge, rp, user, pubKeyCredParams }, app.browser.origin));
    expect(app.adapter.dump().users).toMatchObject([{ email: 'ada@example.com' }]);
    await app.post('signout');
    await plant(app, { challenge: 'B'.repeat(43) });
    const options = { challenge: 'B'.repeat(43), rpId: 'localhost' } as unknown as Options['options'];
    expect(leadsTo(await app.answer('authenticate', app.phone.get(options, app.browser.origin)))).toBe('/');
    expect(app.log.types()).toEqual([]);
  });
});

describe.each(oneDoor)('the data of a passkey, through $name', (door) => {
  it('may have a name without an address', async () => {
    const app = passkeyScene(door, {
      getUserInfo: async () => ({ user: { id: 'ada', name: 'Ada', email: '' }, exists: false }),
    });
    const { action, options } = await app.options({ action: 'register', email: 'x' });
    expect(action).toBe('register');
    expect(options.user.name).toBeTypeOf('string');
  });

  it('have eight transports at most, each of 32 characters at most', async () => {
    const app = passkeyScene(door);
    const transports = Array.from('abcdefghi', (letter) => letter.repeat(32));
    await app.register('ada@example.com', { lies: { transports: ['x'.repeat(33), ...transports] } });
    const [row] = app.adapter.dump().authenticators;
    expect(row?.transports?.split(',')).toEqual(transports.slice(0, 8));
  });

  it('are one decoy for most unknown addresses, and two for some', async () => {
    const app = passkeyScene(door);
    let two = 0;
    for (let index = 0; index < 40; index++) {
      const { options } = await app.options({ email: `unknown-${index}@example.com` }, app.visitor());
      if (options.allowCredentials?.length === 2) two += 1;
    }
    // The secret is the same each time, and so are they.
    expect(two).toBeGreaterThan(2);
    expect(two).toBeLessThan(20);
  });
});
