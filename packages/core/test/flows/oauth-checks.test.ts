import { describe, expect, it } from 'vitest';
import { decode, encode } from '../../src/jwt.ts';
import { oneDoor } from './doors.ts';
import { expectRefused, fakeProvider, later, leadsTo, oidc, oidcScene, SECRET, scene, startsSession } from './scene.ts';

const NAMES = { state: 'authjs.state', pkce: 'authjs.pkce.code_verifier', nonce: 'authjs.nonce' } as const;
const all = { checks: ['pkce', 'state', 'nonce'] as ('pkce' | 'state' | 'nonce')[] };

describe.each(oneDoor)('pending sign-ins through $name', (door) => {
  it.each(['state', 'pkce', 'nonce'] as const)('are refused without the %s cookie', async (check) => {
    const { app, fake } = oidcScene(door, all);
    const started = await app.begin();
    app.browser.cookies.delete(NAMES[check]);
    expectRefused(app, await app.finish(await fake.authorize(started.location ?? '')), 'InvalidCheck');
    expect(fake.count('token')).toBe(0);
    expect(app.log.types()).toEqual(['InvalidCheck']);
  });

  it.each([
    ['garbage', 'garbage'],
    ['nothing', ''],
    ['a session token', { token: { sub: 'x' }, salt: 'authjs.session-token' }],
    ['no text', { token: { value: 7, provider: 'fake' }, salt: NAMES.state }],
  ])('are refused if the state cookie contains %s, and the cookie is removed', async (_, value) => {
    const { app, fake } = oidcScene(door, all);
    const started = await app.begin();
    const planted =
      typeof value === 'string' ? value : await encode<Record<string, unknown>>({ ...value, secret: SECRET });
    app.browser.cookies.set(NAMES.state, planted);
    const page = await app.finish(await fake.authorize(started.location ?? ''));
    expectRefused(app, page, 'InvalidCheck');
    expect(app.browser.cookies.has(NAMES.state)).toBe(false);
  });

  it.each([
    ['missing', undefined],
    ['empty', ''],
    ['wrong', 'x'.repeat(43)],
  ])('are refused with a %s state where the state is a check', async (_, state) => {
    const { app, fake } = oidcScene(door, { checks: ['state'] });
    const started = await app.begin();
    const page = await app.finish(await fake.authorize(started.location ?? '', { parameters: { state } }));
    expectRefused(app, page, 'InvalidCheck');
    expect(fake.count('token')).toBe(0);
  });

  it.each(['cut', 'in capitals', 'longer'])('are refused with a state that is %s', async (how) => {
    const { app, fake } = oidcScene(door);
    const started = await app.begin();
    const state = started.redirect?.searchParams.get('state') ?? '';
    const forged = { cut: state.slice(0, -1), 'in capitals': state.toUpperCase(), longer: `${state}x` }[how];
    const page = await app.finish(await fake.authorize(started.location ?? '', { parameters: { state: forged } }));
    expectRefused(app, page, 'InvalidCheck');
  });

  it.each([['pkce'], ['nonce']] as const)(
    'pass if the provider does not return the state, the state is not among the checks, and %s is',
    async (check) => {
      const { app, fake } = oidcScene(door, { checks: [check] });
      const started = await app.begin();
      const back = await fake.authorize(started.location ?? '', { parameters: { state: undefined } });
      expect(startsSession(await app.finish(back))).toBe(true);
    },
  );

  describe.each([[[]], [['none']]] as [[] | ['none']][])('without a check (%j)', (checks) => {
    it('are refused unless the state comes back', async () => {
      for (const state of [undefined, '', 'x'.repeat(43)]) {
        const { app, fake } = oidcScene(door, { checks });
        const started = await app.begin();
        const back = await fake.authorize(started.location ?? '', { parameters: { state } });
        expectRefused(app, await app.finish(back), 'InvalidCheck');
        expect(fake.count('token')).toBe(0);
        expect(app.log.errors[0]?.cause).toMatchObject({ provider: 'fake', check: 'state' });
      }
    });

    it('are refused without the state cookie, with the state and without it', async () => {
      for (const parameters of [{}, { state: undefined }]) {
        const { app, fake } = oidcScene(door, { checks });
        const back = await fake.authorize((await app.begin()).location ?? '', { parameters });
        app.browser.cookies.delete(NAMES.state);
        expectRefused(app, await app.finish(back), 'InvalidCheck');
        const other = app.visitor();
        expectRefused(app, await app.finish(back, other), 'InvalidCheck', other);
        expect(fake.count('token')).toBe(0);
      }
    });

    it.each(['params', 'address'])('need no cookie if the owner configured a state (%s)', async (where) => {
      const fake = fakeProvider();
      const address = fake.endpoints.authorization;
      const authorization = where === 'params' ? { params: { state: 'own' } } : `${address}?state=own`;
      const app = scene(door, { providers: [oidc(fake, { checks, authorization })] });
      for (const state of ['own', undefined]) {
        const started = await app.begin();
        expect(started.redirect?.searchParams.get('state')).toBe('own');
        expect(Object.values(NAMES).filter((name) => started.cookie(name))).toEqual([]);
        const back = await fake.authorize(started.location ?? '', { parameters: { state } });
        expect(startsSession(await app.finish(back))).toBe(true);
      }
    });
  });

  it.each([
    [899, true],
    [900, false],
  ])('that are answered after %i seconds count: %s', async (seconds, counts) => {
    const { app, fake } = oidcScene(door, all);
    const back = await fake.authorize((await app.begin()).location ?? '');
    await later(app, seconds);
    const page = await app.finish(back);
    if (counts) expect(startsSession(page)).toBe(true);
    else expectRefused(app, page, 'InvalidCheck');
  });

  it.each([
    [2047, true],
    [2048, false],
  ])('are kept beside others in a cookie of %i characters, name and value: %s', async (length, isKept) => {
    const begun = async (name: string) => {
      const { app, fake } = oidcScene(door, { checks: ['state'] }, { cookies: { state: { name } } });
      const fields = { callbackUrl: `/${'x'.repeat(400)}` };
      const first = await app.begin('fake', fields);
      const value = (await app.begin('fake', fields)).cookie(name)?.value ?? '';
      return { app, fake, first, value };
    };
    // The same contents under a longer name.
    const { value } = await begun('s');
    const { app, fake, first, value: kept } = await begun('x'.repeat(length - value.length));
    expect(kept.length === value.length).toBe(isKept);
    const page = await app.finish(await fake.authorize(first.location ?? ''));
    if (isKept) expect(startsSession(page)).toBe(true);
    else expectRefused(app, page, 'InvalidCheck');
  });

  it.each([
    [512, true],
    [513, false],
  ])('have a return URL of %i characters of their own: %s', async (length, isKept) => {
    const { app, fake } = oidcScene(door);
    const callbackUrl = `/${'x'.repeat(length - app.browser.origin.length - 1)}`;
    const first = await app.begin('fake', { callbackUrl });
    await app.begin('fake', { callbackUrl: '/other' });
    const page = await app.finish(await fake.authorize(first.location ?? ''));
    expect(leadsTo(page)).toBe(isKept ? callbackUrl : '/other');
  });

  it('set their cookies for 15 minutes: the nonce by Expires alone', async () => {
    const { app } = oidcScene(door, all);
    const started = await app.begin();
    expect(started.cookie(NAMES.state)).toMatchObject({ maxAge: 900, httpOnly: true, sameSite: 'Lax', path: '/' });
    expect(started.cookie(NAMES.pkce)).toMatchObject({ maxAge: 900 });
    expect(started.cookie(NAMES.nonce)?.maxAge).toBeUndefined();
    const due = Math.floor(app.clock.now().getTime() / 1000) + 900;
    expect(Math.floor((started.cookie(NAMES.nonce)?.expires?.getTime() ?? 0) / 1000)).toBe(due);
  });

  it('set their cookies until the newest of them expires', async () => {
    const { app, fake } = oidcScene(door, all);
    const first = await app.begin();
    app.clock.advance(600);
    const second = await app.begin();
    expect(second.cookie(NAMES.state)).toMatchObject({ maxAge: 900 });
    const page = await app.finish(await fake.authorize(second.location ?? ''));
    expect(page.cookie(NAMES.state)).toMatchObject({ maxAge: 300 });
    expect(startsSession(await app.finish(await fake.authorize(first.location ?? '')))).toBe(true);
  });

  it("store only the beginning of their browser's CSRF token", async () => {
    const { app } = oidcScene(door, all);
    await app.begin();
    const { csrfToken } = (await app.browser.get('/auth/csrf')).json<{ csrfToken: string }>();
    for (const salt of Object.values(NAMES)) {
      const token = app.browser.cookies.get(salt)?.value;
      const payload = await decode({ token, secret: SECRET, salt });
      expect(payload).toMatchObject({ memo: { browser: csrfToken.slice(0, 22) } });
      expect(payload).not.toHaveProperty('older');
    }
  });

  it('finish in two tabs, in either order, each at its own return URL', async () => {
    const { app, fake } = oidcScene(door, all);
    const first = await app.begin('fake', { callbackUrl: '/first' });
    const second = await app.begin('fake', { callbackUrl: '/second' });
    expect(leadsTo(await app.finish(await fake.authorize(first.location ?? '')))).toBe('/first');
    expect(app.browser.cookies.has(NAMES.state)).toBe(true);
    expect(leadsTo(await app.finish(await fake.authorize(second.location ?? '')))).toBe('/second');
    for (const name of Object.values(NAMES)) expect(app.browser.cookies.has(name)).toBe(false);
    expect(app.log.errors).toEqual([]);
  });

  it('are four at most: the fifth replaces the oldest', async () => {
    const { app, fake } = oidcScene(door, all);
    const starts = [];
    for (let count = 0; count < 5; count++) starts.push(await app.begin());
    const [oldest, ...others] = await Promise.all(starts.map(({ location }) => fake.authorize(location ?? '')));
    expectRefused(app, await app.finish(oldest ?? ''), 'InvalidCheck');
    for (const back of others) expect(startsSession(await app.finish(back))).toBe(true);
  });

  it('never make a cookie that browsers refuse, even with long return URLs', async () => {
    const { app, fake } = oidcScene(door, all);
    const callbackUrl = `/${'x'.repeat(450)}`;
    for (let count = 0; count < 6; count++) {
      const started = await app.begin('fake', { callbackUrl });
      for (const name of Object.values(NAMES)) {
        expect((started.cookie(name)?.value.length ?? 0) + name.length).toBeLessThan(2048);
      }
    }
    expect(leadsTo(await app.signIn(fake, { fields: { callbackUrl } }))).toBe(callbackUrl);
    const long = `/${'y'.repeat(1500)}`;
    expect(leadsTo(await app.signIn(fake, { fields: { callbackUrl: long } }))).toBe(long);
  });

  it('always keep the newest', async () => {
    const fake = fakeProvider();
    const [name, callbackUrl] = ['x'.repeat(950), `/${'y'.repeat(480)}`];
    const app = scene(door, { providers: [oidc(fake, { checks: ['state'] })], cookies: { state: { name } } });
    const started = await app.begin('fake', { callbackUrl });
    expect(name.length + (started.cookie(name)?.value.length ?? 0)).toBeGreaterThan(2048);
    expect(leadsTo(await app.finish(await fake.authorize(started.location ?? '')))).toBe(callbackUrl);
  });

  it('drop as many of the oldest as a full cookie needs, and not more', async () => {
    const { app, fake } = oidcScene(door, all);
    const starts = [];
    for (const _ of ['a', 'b', 'c']) starts.push(await app.begin('fake', { callbackUrl: `/${'x'.repeat(320)}` }));
    const [oldest, ...others] = await Promise.all(starts.map(({ location }) => fake.authorize(location ?? '')));
    expectRefused(app, await app.finish(oldest ?? ''), 'InvalidCheck');
    for (const back of others) expect(startsSession(await app.finish(back))).toBe(true);
  });

  it('expire after 15 minutes each, independently of the others', async () => {
    const { app, fake } = oidcScene(door, all);
    const start = app.clock.now();
    const at = (seconds: number) => app.clock.set(new Date(start.getTime() + seconds * 1000));
    const begun = async () => fake.authorize((await app.begin()).location ?? '');
    const first = await begun();
    at(600);
    const second = await begun();
    // Another machine's clock is behind.
    at(300);
    const third = await begun();
    at(900);
    expectRefused(app, await app.finish(first), 'InvalidCheck');
    at(1200);
    expectRefused(app, await app.finish(third), 'InvalidCheck');
    at(1499);
    expect(startsSession(await app.finish(second))).toBe(true);
  });

  it('remove only cookies that are there', async () => {
    const { app, fake } = oidcScene(door, { checks: ['state'] });
    const page = await app.signIn(fake);
    expect(Object.values(NAMES).map((name) => page.cookie(name)?.value)).toEqual(['', undefined, undefined]);
  });

  it('remove their cookies with every answer, failures too', async () => {
    const { app, fake } = oidcScene(door, all, { callbacks: { signIn: () => false } });
    const start = async (): Promise<string> => (await app.begin()).location ?? '';
    const outcomes = [
      async () => app.finish(await fake.authorize(await start())),
      async () => app.finish(await fake.authorize(await start(), { deny: 'access_denied' })),
      async () => app.finish(`${await fake.authorize(await start())}&code=twice`),
      async () => {
        fake.faults.token = { status: 500, times: 1 };
        return app.finish(await fake.authorize(await start()));
      },
    ];
    for (const outcome of outcomes) {
      const page = await outcome();
      expect(startsSession(page)).toBe(false);
      for (const name of Object.values(NAMES)) {
        expect(page.cookie(name)).toMatchObject({ value: '', maxAge: 0, path: '/' });
        expect(app.browser.cookies.has(name)).toBe(false);
      }
    }
  });

  it("report the provider's error before a missing cookie", async () => {
    const { app, fake } = oidcScene(door, all);
    const started = await app.begin();
    app.browser.cookies.delete(NAMES.state);
    const description = `<script>alert(1)</script>${'d'.repeat(475)}`;
    const consent = { deny: 'access_denied', description: `${description}d`, parameters: { error: 'e'.repeat(201) } };
    const back = await fake.authorize(started.location ?? '', consent);
    const page = await app.finish(back);
    expectRefused(app, page, 'OAuthCallbackError');
    expect(app.log.errors[0]?.cause).toMatchObject({ error: 'e'.repeat(200), error_description: description });
    expect((await app.browser.follow(page)).text()).not.toContain('alert(1)');
  });

  it('prefer an error to a code', async () => {
    const { app, fake } = oidcScene(door);
    const back = await fake.authorize((await app.begin()).location ?? '', { parameters: { error: 'server_error' } });
    expectRefused(app, await app.finish(back), 'OAuthCallbackError');
    expect(fake.count('token')).toBe(0);
  });

  it.each([
    ['the visitor has canceled', 'access_denied', true],
    ['the visitor has canceled, as LinkedIn says it', 'user_cancelled_login', true],
    ['the provider has failed', 'server_error', false],
    ['the request was wrong', 'invalid_scope', false],
  ])('say that %s (%s): only a failure is logged as an error', async (_what, deny, isQuiet) => {
    const { app, fake } = oidcScene(door);
    const page = await app.signIn(fake, { consent: { deny } });
    expect(leadsTo(page)).toBe('/auth/signin?error=OAuthCallbackError');
    expect(app.log.types()).toEqual(isQuiet ? [] : ['OAuthCallbackError']);
    expect(app.log.debugged.some(([message]) => message === 'the visitor canceled')).toBe(isQuiet);
  });

  it('keep the current session if a second sign-in fails', async () => {
    const { app, fake } = oidcScene(door);
    await app.signIn(fake);
    const page = await app.signIn(fake, { consent: { deny: 'access_denied' } });
    expect(page.setCookies.some(({ name }) => name.includes('session-token'))).toBe(false);
    expect(await app.session()).toMatchObject({ user: { email: 'ada@example.com' } });
  });
});
