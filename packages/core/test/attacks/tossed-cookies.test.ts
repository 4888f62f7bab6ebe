import { type Host, signIn } from '@latchkey/core/binding';
import { describe, expect, it } from 'vitest';
import { decode, encode } from '../../src/jwt.ts';
import { skipCSRFCheck } from '../../src/symbols.ts';
import { doors } from '../flows/doors.ts';
import { expectRefused, fakeProvider, oidc, type Scene, SECRET, scene, sessionCookies } from '../flows/scene.ts';
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

const jarOf = (browser: Scene['browser']) => new Map(browser.cookies.all().map(({ name, value }) => [name, value]));

/** Ways to begin where nobody asks for a token; they leave for the provider, and fill the jar. */
const tokenless: [
  how: string,
  config: object,
  call: object,
  begin: (app: Scene, jar: Map<string, string>) => Promise<string>,
][] = [
  [
    'on the server',
    {},
    {},
    (app, jar) => {
      const host: Host = {
        origin: 'http://localhost:3000',
        headers: new Headers({ cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') }),
        setCookie: ({ name, value }) => void jar.set(name, encodeURIComponent(value)),
        redirect: expect.unreachable,
      };
      return signIn({ config: app.config, call: {} }, host, 'fake', { redirect: false });
    },
  ],
  ['where the framework checks the origin', {}, { skipCSRF: true }, post],
  ['where the owner has switched the token off', { skipCSRFCheck }, {}, post],
];

async function post(app: Scene, jar: Map<string, string>): Promise<string> {
  const browser = app.visitor();
  for (const [name, value] of jar) browser.cookies.set(name, value);
  const { location } = await browser.post('/auth/signin/fake');
  for (const [name, value] of jarOf(browser)) jar.set(name, value);
  return location ?? '';
}

describe.each(doors)('a sign-in that was begun without a token, through $name', (door) => {
  const checks = ['pkce', 'state', 'nonce'] as const;

  describe.each(tokenless)('%s', (_how, config, call, begin) => {
    it.each(checks)(
      'belongs to its browser: its cookies, planted in another one, sign nobody in (%s)',
      async (check) => {
        for (const visits of [[], ['/auth/csrf'], ['/auth/signin']]) {
          const fake = fakeProvider();
          const app = scene(door, { providers: [oidc(fake, { checks: [check] })], ...config }, { call });
          const jar = new Map<string, string>();
          const back = await fake.authorize(await begin(app, jar), { user: { sub: 'mallory' } });
          for (const page of visits) await app.browser.get(page);
          for (const name of FLOW) app.browser.cookies.set(name, jar.get(name) ?? '', { domain: 'localhost' });
          expectRefused(app, await app.finish(back), 'InvalidCheck');
          expect(fake.count('token')).toBe(0);
        }
      },
    );

    it.each(checks)('ends in its own browser (%s), which keeps what it had', async (check) => {
      const fake = fakeProvider();
      const app = scene(door, { providers: [oidc(fake, { checks: [check] })], ...config }, { call });
      const jar = new Map<string, string>();
      const first = await begin(app, jar);
      const known = jar.get('authjs.csrf-token');
      const second = await begin(app, jar);
      expect([known, jar.get('authjs.csrf-token')]).toEqual([expect.stringContaining('%7C'), known]);
      for (const [name, value] of jar) app.browser.cookies.set(name, value);
      for (const address of [second, first]) {
        const page = await app.finish(await fake.authorize(address));
        expect(page.location).not.toContain('error');
        expect(await app.session()).toMatchObject({ user: { email: 'ada@example.com' } });
      }
    });
  });
});

describe.each(doors)('a check cookie that names no browser, through $name', (door) => {
  /** Begins, and seals the code verifier anew as `keep` has it; that alone comes back. */
  async function comeBack(call: object, keep: (payload: Record<string, unknown>) => Record<string, unknown>) {
    const name = 'authjs.pkce.code_verifier';
    const fake = fakeProvider();
    const app = scene(door, { providers: [oidc(fake)] }, { call });
    const jar = new Map<string, string>();
    const back = await fake.authorize(await post(app, jar));
    const token = keep((await decode({ token: jar.get(name), secret: SECRET, salt: name })) ?? {});
    app.browser.cookies.set(name, await encode({ token, secret: SECRET, salt: name }));
    return { app, page: await app.finish(back.replace(/&state=[^&]*/, '')) };
  }

  it('is refused where it is one of ours', async () => {
    const { app, page } = await comeBack({ skipCSRF: true }, ({ memo: _, ...payload }) => payload);
    expectRefused(app, page, 'InvalidCheck');
    expect(app.log.errors[0]?.cause).toMatchObject({ provider: 'fake', check: 'browser' });
  });

  it('is taken where another library of the family has made it, while a site moves to us', async () => {
    const { app, page } = await comeBack({ skipCSRF: true }, ({ value, provider }) => ({ value, provider }));
    expect(page.location).not.toContain('error');
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
