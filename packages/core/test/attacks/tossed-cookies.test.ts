import { describe, expect, it } from 'vitest';
import { encode } from '../../src/jwt.ts';
import { doors } from '../flows/doors.ts';
import { expectRefused, fakeProvider, oidc, SECRET, scene, sessionCookies } from '../flows/scene.ts';
import { memoryStore } from '../flows/store.ts';

const FLOW = ['authjs.state', 'authjs.pkce.code_verifier', 'authjs.nonce'];
const SESSION = 'authjs.session-token';

describe.each(doors)('cookies planted by a subdomain, through $name', (door) => {
  const subsets = [FLOW, ...FLOW.map((name) => [name]), ...FLOW.map((name) => FLOW.filter((other) => other !== name))];

  it.each(subsets.map((names) => [names.join(' + '), names] as const))(
    "of the attacker's own sign-in never sign the victim in: %s",
    async (_, names) => {
      for (const check of ['pkce', 'state', 'nonce'] as const) {
        const fake = fakeProvider();
        const app = scene(door, { providers: [oidc(fake, { checks: [check] })] });
        const mallory = app.visitor();
        const started = await app.begin('fake', {}, mallory);
        const back = await fake.authorize(started.location ?? '', { user: { sub: 'mallory' } });
        await app.browser.get('/auth/csrf');
        for (const name of names) {
          const value = mallory.cookies.get(name)?.value;
          if (value !== undefined) app.browser.cookies.set(name, value, { domain: 'localhost' });
        }
        const page = await app.finish(back);
        expectRefused(app, page, 'InvalidCheck');
        expect(fake.count('token')).toBe(0);
      }
    },
  );

  it("never link the attacker's account to the victim who is signed in", async () => {
    const fake = fakeProvider();
    const store = memoryStore();
    const app = scene(door, {
      providers: [oidc(fake), oidc(fake, { id: 'second' })],
      adapter: store.adapter,
      session: { strategy: 'jwt' },
    });
    await app.signIn(fake);
    const mallory = app.visitor();
    const started = await app.begin('second', {}, mallory);
    const back = await fake.authorize(started.location ?? '', { user: { sub: 'mallory' } });
    for (const name of FLOW) {
      const value = mallory.cookies.get(name)?.value;
      if (value !== undefined) app.browser.cookies.set(name, value);
    }
    await app.finish(back);
    expect(store.accounts.size).toBe(1);
    expect(await app.session()).toMatchObject({ user: { email: 'ada@example.com' } });
  });
});

describe.each(doors)('a sealed value in the place of another, through $name', (door) => {
  it.each(FLOW)('%s is no session', async (name) => {
    const fake = fakeProvider();
    const app = scene(door, { providers: [oidc(fake, { checks: ['pkce', 'state', 'nonce'] })] });
    await app.begin();
    app.browser.cookies.set(SESSION, app.browser.cookies.get(name)?.value ?? '');
    expect(await app.session()).toBeNull();
    expect(sessionCookies(app.browser)).toEqual([]);
  });

  it('a session is no flow cookie, and a flow cookie no other one', async () => {
    for (const source of [SESSION, 'authjs.nonce']) {
      const fake = fakeProvider();
      const app = scene(door, { providers: [oidc(fake, { checks: ['pkce', 'state', 'nonce'] })] });
      await app.signIn(fake);
      const started = await app.begin();
      app.browser.cookies.set('authjs.pkce.code_verifier', app.browser.cookies.get(source)?.value ?? '');
      const page = await app.finish(await fake.authorize(started.location ?? ''));
      expect(page.location).toContain('error=InvalidCheck');
      expect(await app.session()).not.toBeNull();
    }
  });

  it('a token of the application made for another purpose is neither', async () => {
    const fake = fakeProvider();
    const app = scene(door, { providers: [oidc(fake)] });
    const value = await encode({
      token: { sub: 'victim', value: 'x', provider: 'fake' },
      secret: SECRET,
      salt: 'mail',
    });
    for (const name of [SESSION, ...FLOW]) app.browser.cookies.set(name, value);
    expect(await app.session()).toBeNull();
    expectRefused(app, await app.finish('/auth/callback/fake?code=x&state=x'), 'InvalidCheck');
  });
});
