import { describe, expect, it } from 'vitest';
import { seal } from '../../src/crypto/seal.ts';
import { doors } from './doors.ts';
import { CHALLENGE, type Options, type PasskeyScene, passkeyScene } from './passkey-scene.ts';
import { leadsTo, SECRET } from './scene.ts';

/** Puts a challenge into the browser as another member of the family writes it: without the ceremony. */
async function plant(app: PasskeyScene, payload: object): Promise<void> {
  const sealing = { secrets: [SECRET], maxAge: 900, now: app.clock.now() };
  const value = await seal(payload, { ...sealing, salt: 'encodedWebauthnChallenge' });
  app.browser.cookies.set(CHALLENGE, await seal({ value, provider: 'passkey' }, { ...sealing, salt: CHALLENGE }));
}

const challenge = 'A'.repeat(43);
const rp = { id: 'localhost', name: 'x' };
const pubKeyCredParams = [{ alg: -7 }];

describe.each(doors)('the challenge of a passkey through $name', (door) => {
  it('that is missing is named in the log, and no cookie is cleared that was not there', async () => {
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

  it('is for a registration where another library has named somebody to register, and else for a sign-in', async () => {
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

describe.each(doors)('what a passkey is made of, through $name', (door) => {
  it('may be a name without an address', async () => {
    const app = passkeyScene(door, {
      getUserInfo: async () => ({ user: { id: 'ada', name: 'Ada', email: '' }, exists: false }),
    });
    const { action, options } = await app.options({ action: 'register', email: 'x' });
    expect(action).toBe('register');
    expect(options.user.name).toBeTypeOf('string');
  });

  it('is at most eight ways to reach it', async () => {
    const app = passkeyScene(door);
    const transports = Array.from('abcdefghijkl', (letter) => `way-${letter}`);
    await app.register('ada@example.com', { lies: { transports } });
    const [row] = app.adapter.dump().authenticators;
    expect(row?.transports).toBe(transports.slice(0, 8).join(','));
  });

  it('is mostly one that nobody has, for an address that nobody has: few people have two', async () => {
    const app = passkeyScene(door);
    let two = 0;
    for (let index = 0; index < 40; index++) {
      const { options } = await app.options({ email: `nobody-${index}@example.com` }, app.visitor());
      if (options.allowCredentials?.length === 2) two += 1;
    }
    // The secret is the same each time, and so are they.
    expect(two).toBeGreaterThan(2);
    expect(two).toBeLessThan(20);
  });
});
