import { type Host, signIn } from '@latchkey/core/binding';
import { memoryAdapter } from '@latchkey/testing';
import { describe, expect, it } from 'vitest';
import { decode, encode } from '../../src/jwt.ts';
import { skipCSRFCheck } from '../../src/symbols.ts';
import { oneDoor } from '../flows/doors.ts';
import {
  expectRefused,
  fakeProvider,
  oidc,
  type Scene,
  SECRET,
  scene,
  sessionCookies,
  startsSession,
} from '../flows/scene.ts';
import { memoryStore } from '../flows/store.ts';
import { site } from './site.ts';

const FLOW = ['authjs.state', 'authjs.pkce.code_verifier', 'authjs.nonce'];
const SESSION = 'authjs.session-token';

describe.each(oneDoor)('cookies planted by a subdomain, through $name', (door) => {
  const subsets = [FLOW, ...FLOW.map((name) => [name]), ...FLOW.map((name) => FLOW.filter((other) => other !== name))];

  it.each(subsets.map((names) => [names.join(' + '), names] as const))(
    "of the attacker's own sign-in never sign the victim in: %s",
    async (_, names) => {
      for (const checks of [['pkce'], ['state'], ['nonce'], ['none'], []] as const) {
        const { fake, app } = site(door, { checks: [...checks] });
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

/** Ways to start a sign-in without a CSRF token. Each returns the authorization URL and fills the jar. */
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
  ['where the framework checks the origin', {}, { forms: 'host-checked' }, post],
  ['where the owner has switched the token off', { skipCSRFCheck }, {}, post],
];

async function post(app: Scene, jar: Map<string, string>): Promise<string> {
  const browser = app.visitor();
  for (const [name, value] of jar) browser.cookies.set(name, value);
  const { location } = await browser.post('/auth/signin/fake');
  for (const [name, value] of jarOf(browser)) jar.set(name, value);
  return location ?? '';
}

describe.each(oneDoor)('a sign-in that was begun without a token, through $name', (door) => {
  const checks = ['pkce', 'state', 'nonce'] as const;

  describe.each(tokenless)('%s', (_how, config, call, begin) => {
    it.each(checks)('belongs to its browser: its cookies start no session in another one (%s)', async (check) => {
      for (const visits of [[], ['/auth/csrf'], ['/auth/signin']]) {
        const { fake, app } = site(door, { checks: [check] }, { ...config }, { call });
        const jar = new Map<string, string>();
        const back = await fake.authorize(await begin(app, jar), { user: { sub: 'mallory' } });
        for (const page of visits) await app.browser.get(page);
        for (const name of FLOW) app.browser.cookies.set(name, jar.get(name) ?? '', { domain: 'localhost' });
        expectRefused(app, await app.finish(back), 'InvalidCheck');
        expect(fake.count('token')).toBe(0);
      }
    });

    it.each(checks)('ends in its own browser (%s), which keeps its cookies', async (check) => {
      const { fake, app } = site(door, { checks: [check] }, { ...config }, { call });
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

describe.each(oneDoor)('a check cookie that names no browser, through $name', (door) => {
  /** Starts a sign-in, and replaces its cookies by the code verifier, sealed with the claims that `keep` selects. */
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

  it('is refused if this library has written it', async () => {
    const { app, page } = await comeBack({ forms: 'host-checked' }, ({ memo: _, ...payload }) => payload);
    expectRefused(app, page, 'InvalidCheck');
    expect(app.log.errors[0]?.cause).toMatchObject({ provider: 'fake', check: 'browser' });
  });

  it('is accepted if Auth.js has written it', async () => {
    const { app, page } = await comeBack({ forms: 'host-checked' }, ({ value, provider }) => ({ value, provider }));
    expect(page.location).not.toContain('error');
    expect(await app.session()).toMatchObject({ user: { email: 'ada@example.com' } });
  });
});

describe.each(oneDoor)('a sealed value in the place of another, through $name', (door) => {
  it.each(FLOW)('%s is not accepted as a session', async (name) => {
    const { app } = site(door, { checks: ['pkce', 'state', 'nonce'] });
    await app.begin();
    app.browser.cookies.set(SESSION, app.browser.cookies.get(name)?.value ?? '');
    expect(await app.session()).toBeNull();
    expect(sessionCookies(app.browser)).toEqual([]);
  });

  it('a session is not accepted as a check cookie, and no check cookie as another one', async () => {
    for (const source of [SESSION, 'authjs.nonce']) {
      const { fake, app } = site(door, { checks: ['pkce', 'state', 'nonce'] });
      await app.signIn(fake);
      const started = await app.begin();
      app.browser.cookies.set('authjs.pkce.code_verifier', app.browser.cookies.get(source)?.value ?? '');
      const page = await app.finish(await fake.authorize(started.location ?? ''));
      expect(page.location).toContain('error=InvalidCheck');
      expect(await app.session()).not.toBeNull();
    }
  });

  it('a token of the application made for another purpose is neither', async () => {
    const { app } = site(door);
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

const subsets = [1, 2, 3, 4, 5, 6, 7].map((bits) => FLOW.filter((_, index) => bits & (1 << index)));
type Checks = ('pkce' | 'state' | 'nonce')[];

/** Seals the payload of a cookie anew, with other members. */
async function reseal(
  { cookies }: Scene['browser'],
  name: string,
  change: (payload: Record<string, unknown>) => Record<string, unknown>,
): Promise<void> {
  const payload = await decode({ token: cookies.get(name)?.value, secret: SECRET, salt: name });
  cookies.set(name, await encode({ token: change(payload ?? {}), secret: SECRET, salt: name }));
}

/** Damages to a cookie of a pending sign-in. The others are browsers with another pending sign-in. */
const damages: [
  how: string,
  damage: (browser: Scene['browser'], name: string, others: Record<'own' | 'foreign', Scene['browser']>) => unknown,
][] = [
  ['missing', ({ cookies }, name) => cookies.delete(name)],
  ['not sealed', ({ cookies }, name) => cookies.set(name, 'garbage')],
  ['of another sign-in', ({ cookies }, name, { own }) => cookies.set(name, own.cookies.get(name)?.value ?? '')],
  ['of another browser', ({ cookies }, name, { foreign }) => cookies.set(name, foreign.cookies.get(name)?.value ?? '')],
];

describe.each(oneDoor)('a sign-in whose cookies are not complete, through $name', (door) => {
  const cases = damages.flatMap(([how, damage]) =>
    subsets.map((names) => [names.join(' + '), how, names, damage] as const),
  );

  it.each(cases)('is refused: %s %s', async (_names, how, names, damage) => {
    for (const checks of [
      ['pkce', 'nonce'],
      ['pkce', 'state', 'nonce'],
    ] satisfies Checks[]) {
      const { fake, app } = site(door, { checks });
      await app.browser.get('/auth/csrf');
      const others = { own: app.browser.clone(), foreign: app.visitor() };
      for (const other of Object.values(others)) await app.begin('fake', {}, other);
      const back = await fake.authorize((await app.begin()).location ?? '');
      const withoutState = app.browser.clone();
      for (const browser of [app.browser, withoutState]) for (const name of names) damage(browser, name, others);
      expectRefused(app, await app.finish(back), 'InvalidCheck');
      // A whole other sign-in of the same browser counts: there, the provider refuses the code.
      if (how !== 'of another sign-in' || names.length < FLOW.length)
        expectRefused(
          app,
          await app.finish(back.replace(/&state=[^&]*/, ''), withoutState),
          'InvalidCheck',
          withoutState,
        );
      expect(fake.count('token')).toBe(0);
    }
  });

  it.each(FLOW)('is refused if %s has the shape of Auth.js, which names no other part', async (name) => {
    const { fake, app } = site(door, { checks: ['pkce', 'nonce'] });
    const back = await fake.authorize((await app.begin()).location ?? '');
    await reseal(app.browser, name, ({ value, provider }) => ({ value, provider }));
    expectRefused(app, await app.finish(back), 'InvalidCheck');
    expect(fake.count('token')).toBe(0);
  });

  it('is refused without the nonce that takes the place of PKCE, although the nonce is not among its checks', async () => {
    const fake = fakeProvider();
    fake.overrides.discovery = (metadata) => ({ ...metadata, code_challenge_methods_supported: [] });
    const app = scene(door, { providers: [oidc(fake)] });
    const back = await fake.authorize((await app.begin()).location ?? '');
    app.browser.cookies.delete('authjs.nonce');
    expectRefused(app, await app.finish(back), 'InvalidCheck');
    expect(fake.count('token')).toBe(0);
    expect(app.log.errors[0]?.cause).toMatchObject({ provider: 'fake', check: 'once' });
  });

  it('is refused if its record did not fit into the cookie of the state', async () => {
    const { fake, app } = site(door);
    const starts: string[] = [];
    for (const _ of [1, 2, 3, 4])
      starts.push((await app.begin('fake', { callbackUrl: `/${'x'.repeat(320)}` })).location ?? '');
    const [oldest, newest] = [starts[0] ?? '', starts.at(-1) ?? ''];
    expectRefused(app, await app.finish(await fake.authorize(oldest)), 'InvalidCheck');
    expect(startsSession(await app.finish(await fake.authorize(newest)))).toBe(true);
  });
});

/** Cookies that a subdomain plants beside those of a pending sign-in. Browsers send the longer path first. */
const planted: [how: string, value: (name: string, mallory: Scene['browser']) => string | undefined][] = [
  ['not sealed', () => 'garbage'],
  ["the attacker's", (name, mallory) => mallory.cookies.get(name)?.value],
];

describe.each(oneDoor)('check cookies that occur twice, through $name', (door) => {
  const everyCheck: (Checks | ['none'])[] = [['pkce'], ['state'], ['nonce'], ['none'], [], ['pkce', 'state', 'nonce']];
  const cases = planted.flatMap(([how, value]) =>
    [...subsets.map((names) => [names, '/auth'] as const), [FLOW, '/'] as const].map(
      ([names, path]) => [names.join(' + '), how, path, names, value] as const,
    ),
  );

  it.each(cases)(
    'sign in their own visitor, and never the attacker: %s, %s, planted at %s',
    async (...[, , path, names, value]) => {
      for (const checks of everyCheck) {
        const { fake, app } = site(door, { checks });
        const mallory = app.visitor();
        const stolen = await fake.authorize((await app.begin('fake', {}, mallory)).location ?? '', {
          user: { sub: 'mallory', email: 'mallory@example.com' },
        });
        const plant = (): void => {
          for (const name of names) {
            const one = value(name, mallory);
            if (one !== undefined) app.browser.cookies.set(name, one, { domain: 'localhost', path });
          }
        };
        await app.browser.get('/auth/csrf');
        plant();
        const first = await fake.authorize((await app.begin()).location ?? '');
        plant();
        const second = await fake.authorize((await app.begin()).location ?? '');
        plant();
        expectRefused(app, await app.finish(stolen), 'InvalidCheck');
        expect(fake.count('token')).toBe(0);
        for (const back of [second, first]) {
          expect((await app.finish(back)).location).not.toContain('error');
          expect(await app.session()).toMatchObject({ user: { email: 'ada@example.com' } });
        }
      }
    },
  );
});

describe.each(oneDoor)('cookies of an earlier version, which do not name all parts, through $name', (door) => {
  /** Begins, and takes the list of parts out of the cookies. */
  async function begunBefore(app: Scene): Promise<string> {
    const started = await app.begin();
    for (const name of FLOW) {
      if (!app.browser.cookies.has(name)) continue;
      await reseal(app.browser, name, ({ memo, ...payload }) => {
        const { parts, ...older } = memo as Record<string, unknown>;
        expect(parts).toContain('state');
        return { ...payload, memo: older };
      });
    }
    return started.location ?? '';
  }

  it.each([[['pkce']], [['state']], [['nonce']], [['pkce', 'state', 'nonce']]] as [Checks][])(
    'sign in with the checks %s',
    async (checks) => {
      const { fake, app } = site(door, { checks });
      expect(startsSession(await app.finish(await fake.authorize(await begunBefore(app))))).toBe(true);
    },
  );

  it('are answered once, also without the state and its cookie', async () => {
    const { fake, app } = site(door, {}, { adapter: memoryAdapter(), session: { strategy: 'jwt' } });
    const location = await begunBefore(app);
    const back = async (): Promise<string> => (await fake.authorize(location)).replace(/&state=[^&]*/, '');
    app.browser.cookies.delete('authjs.state');
    const thief = app.browser.clone();
    expect(startsSession(await app.finish(await back()))).toBe(true);
    expectRefused(app, await app.finish(await back(), thief), 'InvalidCheck', thief);
    expect(app.log.errors.at(-1)?.cause).toMatchObject({ check: 'once' });
  });

  it('stay beside a newer sign-in', async () => {
    const { fake, app } = site(door, { checks: ['pkce', 'nonce'] });
    const before = await begunBefore(app);
    const after = (await app.begin()).location ?? '';
    expect(startsSession(await app.finish(await fake.authorize(before)))).toBe(true);
    expect(startsSession(await app.finish(await fake.authorize(after)))).toBe(true);
  });
});
