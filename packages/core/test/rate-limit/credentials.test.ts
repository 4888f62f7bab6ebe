import { describe, expect, it } from 'vitest';
import Credentials from '../../src/providers/credentials.ts';
import { leadsTo, startsSession } from '../flows/scene.ts';
import { burst, limitedScene, MINUTES, statuses, times } from './scene.ts';

const twenty = Array<number>(20).fill(302);

describe('failed sign-ins with credentials', () => {
  it('get the usual response up to twenty in 15 minutes, then status 429', async () => {
    const app = limitedScene();
    expect(await app.fail(22)).toEqual([...twenty, 429, 429]);
    expect(app.asked.count).toBe(20);
  });

  it('never exceed the limit if they are simultaneous', async () => {
    const app = limitedScene();
    const pages = await burst(
      app,
      'callback/credentials',
      times(200, (index) => ({ username: 'ada', password: `wrong ${index}` })),
    );
    expect(statuses(pages)).toEqual({ 302: 20, 429: 180 });
    expect(app.asked.count).toBe(20);
  });

  it('count for 15 minutes each, to the millisecond', async () => {
    const app = limitedScene();
    await app.fail(10);
    app.clock.advance(10 * MINUTES);
    await app.fail(10);
    app.clock.advance(5 * MINUTES - 0.001);
    expect(await app.fail(1)).toEqual([429]);
    app.clock.advance(0.001);
    // The first ten are over; the second ten are not.
    expect(await app.fail(11)).toEqual([...Array<number>(10).fill(302), 429]);
    app.clock.advance(10 * MINUTES);
    expect(await app.fail(11)).toEqual([...Array<number>(10).fill(302), 429]);
  });

  it('never exceed twenty within any 15 minutes', async () => {
    const app = limitedScene();
    await app.fail(1);
    app.clock.advance(15 * MINUTES - 1);
    await app.fail(19);
    app.clock.advance(1);
    expect(await app.fail(3)).toEqual([302, 429, 429]);
  });

  it('above the limit do not prolong the wait', async () => {
    const app = limitedScene();
    await app.fail(20);
    app.clock.advance(14 * MINUTES);
    await app.fail(30);
    app.clock.advance(1 * MINUTES);
    expect((await app.attempt('ada', 'right')).status).toBe(302);
  });

  it('of one name do not count for another', async () => {
    const app = limitedScene();
    await app.fail(21);
    expect(await app.fail(1, 'grace')).toEqual([302]);
  });

  it.each([
    ['case', 'ADA'],
    ['blanks around it', '  ada\t'],
    ['full width', 'ａｄａ'],
    ['a list around it, in JSON', [['ada']]],
  ])('are counted together in another spelling: %s', async (_, spelling) => {
    const app = limitedScene();
    await app.fail(20);
    const { csrfToken } = (await app.browser.get('/auth/csrf')).json<{ csrfToken: string }>();
    const fields = { csrfToken, username: spelling, password: 'right' };
    expect((await app.browser.post('/auth/callback/credentials', fields, { json: true })).status).toBe(429);
  });

  it('of a phone number are counted together in each notation', async () => {
    const credentials = { phone: { type: 'tel' }, password: { type: 'password' } };
    const app = limitedScene(undefined, { providers: [Credentials({ credentials, authorize: () => null })] });
    const written = (index: number): string =>
      [...'15550100'].map((digit, at) => digit + ((index >> at) & 1 ? '-' : '')).join('');
    const pages = await burst(
      app,
      'callback/credentials',
      times(64, (index) => ({ phone: written(index), password: 'x' })),
    );
    expect(statuses(pages)).toEqual({ 302: 20, 429: 44 });
  });

  it('are counted by each field with a usual name: a further field does not make a new counter', async () => {
    const authorize = (): null => null;
    const app = limitedScene(undefined, { providers: [Credentials({ authorize })] });
    const pages = await burst(
      app,
      'callback/credentials',
      times(30, (index) => ({ email: 'ada@example.com', username: `other ${index}`, password: 'x' })),
    );
    expect(statuses(pages)).toEqual({ 302: 20, 429: 10 });
  });

  it('are counted by the first text field of the form if no field has a usual name', async () => {
    const provider = Credentials({
      credentials: { geheim: { type: 'password' }, benutzer: {}, zimmer: {} },
      authorize: () => null,
    });
    const app = limitedScene(undefined, { providers: [provider] });
    const post = (benutzer: string, zimmer: string) => app.post('callback/credentials', { benutzer, zimmer });
    for (let time = 0; time < 20; time++) await post('ada', `${time}`);
    expect((await post('ada', 'x')).status).toBe(429);
    expect((await post('grace', '1')).status).toBe(302);
  });

  it("are counted by the result of the application's `identifier`", async () => {
    const identifier = ({ tenant, number }: Record<string, unknown>): string => `${tenant}/${number}`;
    const app = limitedScene({ credentials: { limit: 2, identifier } });
    const post = (tenant: string, number: string) => app.post('callback/credentials', { tenant, number, name: 'x' });
    await post('a', '1');
    await post('a', '1');
    expect((await post('a', '1')).status).toBe(429);
    expect((await post('b', '1')).status).toBe(302);
  });

  it('without an identifier are not counted together', async () => {
    const app = limitedScene(undefined, { providers: [Credentials({ authorize: () => null })] });
    const pages = await burst(
      app,
      'callback/credentials',
      times(30, () => ({ token: 'x' })),
    );
    expect(statuses(pages)).toEqual({ 302: 30 });
  });
});

describe('a sign-in with the right password', () => {
  it('is refused while its name is blocked, and the password is not checked', async () => {
    const app = limitedScene();
    await app.fail(20);
    const page = await app.attempt('ada', 'right');
    expect([page.status, startsSession(page), app.asked.count]).toEqual([429, false, 20]);
  });

  it('does not count, and does not release an earlier failure', async () => {
    const app = limitedScene();
    await app.fail(19);
    for (let time = 0; time < 30; time++) expect(startsSession(await app.attempt('ada', 'right'))).toBe(true);
    expect(await app.fail(2)).toEqual([302, 429]);
  });

  it('counts if the `signIn` callback refuses it', async () => {
    for (const answer of [false, '/elsewhere']) {
      const callbacks = { signIn: () => answer };
      const app = limitedScene({ credentials: { limit: 2 } }, { callbacks });
      const name = `ada ${answer}`;
      await app.attempt(name, 'right');
      await app.attempt(name, 'right');
      expect((await app.attempt(name, 'right')).status).toBe(429);
    }
  });

  it('counts if `authorize` throws, as some applications refuse', async () => {
    const authorize = (): never => {
      throw new Error('wrong password');
    };
    const app = limitedScene({ credentials: { limit: 2 } }, { providers: [Credentials({ authorize })] });
    expect(await app.fail(3)).toEqual([302, 302, 429]);
  });
});

describe('other things', () => {
  it('are not limited while a name is blocked: pages, tokens, the session, signing out', async () => {
    const app = limitedScene();
    await app.attempt('ada', 'right');
    await app.fail(21);
    expect((await app.browser.get('/auth/signin')).status).toBe(200);
    expect(await app.session()).toMatchObject({ user: { name: 'ada' } });
    expect(leadsTo(await app.post('signout'))).toBe('/');
  });

  it('forms without a CSRF token do not count, so that another site cannot block a user', async () => {
    const app = limitedScene();
    for (let time = 0; time < 25; time++) await app.browser.post('/auth/callback/credentials', { username: 'ada' });
    expect(await app.fail(1)).toEqual([302]);
  });
});

describe('`rateLimit`', () => {
  it('`false` removes all limits', async () => {
    const app = limitedScene(false);
    expect(new Set(await app.fail(30))).toEqual(new Set([302]));
    expect(app.asked.count).toBe(30);
  });

  it('`credentials: false` removes the limit per identifier', async () => {
    const app = limitedScene({ credentials: false });
    expect(new Set(await app.fail(30))).toEqual(new Set([302]));
  });

  it('takes another limit or another window', async () => {
    const app = limitedScene({ credentials: { limit: 3 } });
    expect(await app.fail(4)).toEqual([302, 302, 302, 429]);
    const short = limitedScene({ credentials: { window: 10 } });
    expect(await short.fail(21, 'grace')).toEqual([...twenty, 429]);
    short.clock.advance(10);
    expect(await short.fail(1, 'grace')).toEqual([302]);
  });

  it('continues to count if each request has a new configuration', async () => {
    const apps = times(21, () => limitedScene());
    const all: number[] = [];
    for (const app of apps) all.push(...(await app.fail(1)));
    expect(all).toEqual([...twenty, 429]);
  });

  it('counts separately under another secret', async () => {
    await limitedScene().fail(21);
    const other = limitedScene(undefined, { secret: 'another secret, of more than 32 characters' });
    expect(await other.fail(1)).toEqual([302]);
  });
});
