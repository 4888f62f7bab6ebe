import { describe, expect, it } from 'vitest';
import { decode, encode } from '../../src/jwt.ts';
import { doors } from './doors.ts';
import { expectRefused, fakeProvider, leadsTo, oidc, SECRET, scene, startsSession } from './scene.ts';

const NAMES = { state: 'authjs.state', pkce: 'authjs.pkce.code_verifier', nonce: 'authjs.nonce' } as const;
const all = { checks: ['pkce', 'state', 'nonce'] as ('pkce' | 'state' | 'nonce')[] };

describe.each(doors)('pending sign-ins through $name', (door) => {
  it.each(['state', 'pkce', 'nonce'] as const)('are refused without the %s cookie', async (check) => {
    const fake = fakeProvider();
    const app = scene(door, { providers: [oidc(fake, all)] });
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
  ])('are refused when the state cookie holds %s, and the cookie goes', async (_, value) => {
    const fake = fakeProvider();
    const app = scene(door, { providers: [oidc(fake, all)] });
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
    const fake = fakeProvider();
    const app = scene(door, { providers: [oidc(fake, { checks: ['state'] })] });
    const started = await app.begin();
    const page = await app.finish(await fake.authorize(started.location ?? '', { parameters: { state } }));
    expectRefused(app, page, 'InvalidCheck');
    expect(fake.count('token')).toBe(0);
  });

  it.each(['cut', 'in capitals', 'longer'])('are refused with a state that is %s', async (how) => {
    const fake = fakeProvider();
    const app = scene(door, { providers: [oidc(fake)] });
    const started = await app.begin();
    const state = started.redirect?.searchParams.get('state') ?? '';
    const forged = { cut: state.slice(0, -1), 'in capitals': state.toUpperCase(), longer: `${state}x` }[how];
    const page = await app.finish(await fake.authorize(started.location ?? '', { parameters: { state: forged } }));
    expectRefused(app, page, 'InvalidCheck');
  });

  it.each([['pkce'], ['nonce']] as const)(
    'pass where the provider does not send the state back and it is no check, but %s is',
    async (check) => {
      const fake = fakeProvider();
      const app = scene(door, { providers: [oidc(fake, { checks: [check] })] });
      const started = await app.begin();
      const back = await fake.authorize(started.location ?? '', { parameters: { state: undefined } });
      expect(startsSession(await app.finish(back))).toBe(true);
    },
  );

  it('are refused after a quarter of an hour, by the seal and not by the browser', async () => {
    const fake = fakeProvider();
    const app = scene(door, { providers: [oidc(fake, all)] });
    const started = await app.begin();
    const kept = app.browser.cookies.all();
    app.clock.advance(14 * 60);
    const early = app.browser.clone();
    expect(startsSession(await app.finish(await fake.authorize(started.location ?? ''), early))).toBe(true);
    app.clock.advance(61);
    expect(app.browser.cookies.has(NAMES.state)).toBe(false);
    for (const { name, value } of kept) app.browser.cookies.set(name, value);
    expectRefused(app, await app.finish(await fake.authorize(started.location ?? '')), 'InvalidCheck');
  });

  it('set their cookies for 15 minutes: the nonce by Expires alone', async () => {
    const fake = fakeProvider();
    const app = scene(door, { providers: [oidc(fake, all)] });
    const started = await app.begin();
    expect(started.cookie(NAMES.state)).toMatchObject({ maxAge: 900, httpOnly: true, sameSite: 'Lax', path: '/' });
    expect(started.cookie(NAMES.pkce)).toMatchObject({ maxAge: 900 });
    expect(started.cookie(NAMES.nonce)?.maxAge).toBeUndefined();
    const due = Math.floor(app.clock.now().getTime() / 1000) + 900;
    expect(Math.floor((started.cookie(NAMES.nonce)?.expires?.getTime() ?? 0) / 1000)).toBe(due);
  });

  it('set their cookies for as long as the youngest of them counts', async () => {
    const fake = fakeProvider();
    const app = scene(door, { providers: [oidc(fake, all)] });
    const first = await app.begin();
    app.clock.advance(600);
    const second = await app.begin();
    expect(second.cookie(NAMES.state)).toMatchObject({ maxAge: 900 });
    const page = await app.finish(await fake.authorize(second.location ?? ''));
    expect(page.cookie(NAMES.state)).toMatchObject({ maxAge: 300 });
    expect(startsSession(await app.finish(await fake.authorize(first.location ?? '')))).toBe(true);
  });

  it('remember of their browser the beginning of its token alone, which opens nothing', async () => {
    const fake = fakeProvider();
    const app = scene(door, { providers: [oidc(fake, all)] });
    await app.begin();
    const { csrfToken } = (await app.browser.get('/auth/csrf')).json<{ csrfToken: string }>();
    for (const salt of Object.values(NAMES)) {
      const token = app.browser.cookies.get(salt)?.value;
      const payload = await decode({ token, secret: SECRET, salt });
      expect(payload).toMatchObject({ memo: { browser: csrfToken.slice(0, 22) } });
      expect(payload).not.toHaveProperty('older');
    }
  });

  it('finish in two tabs, in either order, each at its own return address', async () => {
    const fake = fakeProvider();
    const app = scene(door, { providers: [oidc(fake, all)] });
    const first = await app.begin('fake', { callbackUrl: '/first' });
    const second = await app.begin('fake', { callbackUrl: '/second' });
    expect(leadsTo(await app.finish(await fake.authorize(first.location ?? '')))).toBe('/first');
    expect(app.browser.cookies.has(NAMES.state)).toBe(true);
    expect(leadsTo(await app.finish(await fake.authorize(second.location ?? '')))).toBe('/second');
    for (const name of Object.values(NAMES)) expect(app.browser.cookies.has(name)).toBe(false);
    expect(app.log.errors).toEqual([]);
  });

  it('are four at most: the fifth takes the place of the oldest', async () => {
    const fake = fakeProvider();
    const app = scene(door, { providers: [oidc(fake, all)] });
    const starts = [];
    for (let count = 0; count < 5; count++) starts.push(await app.begin());
    const [oldest, ...others] = await Promise.all(starts.map(({ location }) => fake.authorize(location ?? '')));
    expectRefused(app, await app.finish(oldest ?? ''), 'InvalidCheck');
    for (const back of others) expect(startsSession(await app.finish(back))).toBe(true);
  });

  it('never make a cookie that browsers refuse, however long their return addresses', async () => {
    const fake = fakeProvider();
    const app = scene(door, { providers: [oidc(fake, all)] });
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

  it('keep the newest in any case', async () => {
    const fake = fakeProvider();
    const [name, callbackUrl] = ['x'.repeat(950), `/${'y'.repeat(480)}`];
    const app = scene(door, { providers: [oidc(fake, { checks: ['state'] })], cookies: { state: { name } } });
    const started = await app.begin('fake', { callbackUrl });
    expect(name.length + (started.cookie(name)?.value.length ?? 0)).toBeGreaterThan(2048);
    expect(leadsTo(await app.finish(await fake.authorize(started.location ?? '')))).toBe(callbackUrl);
  });

  it('make room in a full cookie by as many of the oldest as it takes, and not more', async () => {
    const fake = fakeProvider();
    const app = scene(door, { providers: [oidc(fake, all)] });
    const starts = [];
    for (const _ of ['a', 'b', 'c']) starts.push(await app.begin('fake', { callbackUrl: `/${'x'.repeat(320)}` }));
    const [oldest, ...others] = await Promise.all(starts.map(({ location }) => fake.authorize(location ?? '')));
    expectRefused(app, await app.finish(oldest ?? ''), 'InvalidCheck');
    for (const back of others) expect(startsSession(await app.finish(back))).toBe(true);
  });

  it('count each for its own quarter of an hour, whatever the age of the others', async () => {
    const fake = fakeProvider();
    const app = scene(door, { providers: [oidc(fake, all)] });
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

  it('take no cookie away that is not there', async () => {
    const fake = fakeProvider();
    const app = scene(door, { providers: [oidc(fake, { checks: ['state'] })] });
    const page = await app.signIn(fake);
    expect(Object.values(NAMES).map((name) => page.cookie(name)?.value)).toEqual(['', undefined, undefined]);
  });

  it('leave their cookies with every answer, failures too', async () => {
    const fake = fakeProvider();
    const app = scene(door, { providers: [oidc(fake, all)], callbacks: { signIn: () => false } });
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

  it('report what the provider says before they miss a cookie', async () => {
    const fake = fakeProvider();
    const app = scene(door, { providers: [oidc(fake, all)] });
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

  it('let an error win over a code', async () => {
    const fake = fakeProvider();
    const app = scene(door, { providers: [oidc(fake)] });
    const back = await fake.authorize((await app.begin()).location ?? '', { parameters: { error: 'server_error' } });
    expectRefused(app, await app.finish(back), 'OAuthCallbackError');
    expect(fake.count('token')).toBe(0);
  });

  it('keep the session there is when a second sign-in fails', async () => {
    const fake = fakeProvider();
    const app = scene(door, { providers: [oidc(fake)] });
    await app.signIn(fake);
    const page = await app.signIn(fake, { consent: { deny: 'access_denied' } });
    expect(page.setCookies.some(({ name }) => name.includes('session-token'))).toBe(false);
    expect(await app.session()).toMatchObject({ user: { email: 'ada@example.com' } });
  });
});
