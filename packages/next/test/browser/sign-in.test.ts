import type { Route } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { fixture } from './fixture.ts';
import { gate, isWithoutBrowser, soon } from './visit.ts';

const password = `name: 'Ada', password: 'password'`;

describe.skipIf(isWithoutBrowser)('signing in and out in the browser', () => {
  const at = fixture();

  it('reports a wrong password by its code, and starts no session', async () => {
    const tab = await at.open();
    await tab.sees('unauthenticated: no user');
    const result = await tab.run(`app.signIn('credentials', { name: 'Ada', password: 'x', redirect: false })`);
    expect(result).toEqual({ error: 'CredentialsSignin', code: 'wrong_password', status: 200, ok: false, url: null });
    expect(await tab.who()).toBe('unauthenticated: no user');
    expect(at.asked()).toHaveLength(1);
  });

  it('reports a success when the session is known', async () => {
    const tab = await at.open();
    await tab.sees('unauthenticated: no user');
    const [result, session] = await tab.run<unknown[]>(`
      app.signIn('credentials', { ${password}, redirect: false, redirectTo: '/?error=old' })
        .then((result) => [result, app.__NEXTAUTH._session])`);
    const url = `${at.site.origin}/?error=old`;
    expect(result).toEqual({ ok: true, status: 200, url });
    expect(session).toMatchObject({ user: { name: 'Ada' } });
    await tab.sees('authenticated: Ada');
  });

  it('goes to the page of the mail, sends it again, and signs in by its code', async () => {
    const tab = await at.open();
    await tab.sees('unauthenticated: no user');
    await tab.run(`void app.signIn('mail', { email: 'ada@example.com', redirectTo: '/?from=mail' })`);
    await tab.page.waitForURL('**/api/auth/verify-request?provider=mail&type=email&code=1');
    await tab.page.goto(`${at.site.origin}/`);
    const code = at.site.codes.at(-1);
    const wrong = String((Number(code) + 1) % 1e8).padStart(8, '0');
    const enter = (typed: string | undefined) => tab.run(`app.signIn('mail', { code: '${typed}', redirect: false })`);
    expect(await enter(wrong)).toEqual({ error: 'Verification', code: '1', status: 200, ok: false, url: null });
    const again = await tab.run(`app.signIn('mail', { redirect: false })`);
    expect(again).toMatchObject({ ok: true, url: expect.stringContaining('/verify-request?provider=mail') });
    expect(await enter(code)).toEqual({ ok: true, status: 200, url: `${at.site.origin}/?from=mail` });
    await tab.sees('authenticated: no user');
  });

  it('goes to the page that asks for the code if the code is wrong', async () => {
    const tab = await at.open();
    await tab.run(`app.signIn('mail', { email: 'bob@example.com', redirect: false })`);
    await tab.run(`void app.signIn('mail', { code: '1' })`);
    await tab.page.waitForURL('**/api/auth/verify-request?provider=mail&type=email&code=1&error=Verification');
  });

  it('goes to the given address', async () => {
    const tab = await at.open();
    await tab.run(`void app.signIn('credentials', { ${password}, callbackUrl: '/?from=here' })`);
    await tab.page.waitForURL('**/?from=here');
    await tab.sees('authenticated: Ada');
    const asked = tab.page.waitForRequest('**/api/auth/signout');
    await tab.run(`void app.signOut({ redirectTo: '/?from=there', provider: false })`);
    await tab.page.waitForURL('**/?from=there');
    expect((await asked).postData()).toContain('provider=false');
    await tab.sees('unauthenticated: no user');
  });

  it('reloads this page for another place on it', async () => {
    const tab = await at.open();
    await tab.sees('unauthenticated: no user');
    await tab.run('void (globalThis.isOld = true)');
    await tab.run(`void app.signIn('credentials', { ${password}, redirectTo: location.href + '#place' })`);
    await tab.sees('authenticated: Ada');
    expect(await tab.run('[location.hash, globalThis.isOld]')).toEqual(['#place', undefined]);
  });

  it.each([
    ['no provider', ''],
    ['an unknown one', `'unknown'`],
    ['a name that every object has', `'constructor'`],
  ])('leads to the sign-in page with %s', async (_, provider) => {
    const tab = await at.open();
    await tab.run(`void app.signIn(${provider || 'undefined'}, { redirectTo: '/there' })`);
    await tab.page.waitForURL('**/api/auth/signin?callbackUrl=%2Fthere');
  });

  it('names the other `signIn` for passkeys', async () => {
    const tab = await at.open();
    await expect(tab.run(`app.signIn('passkey')`)).rejects.toThrow('has passkeys');
    await expect(tab.run(`app.signInWithPasskey('credentials')`)).rejects.toThrow('has no passkeys');
  });

  it('tries again if another answer has replaced the token', async () => {
    const tab = await at.open();
    await tab.sees('unauthenticated: no user');
    const overtake = async (route: Route) => {
      await at.profile.clearCookies({ name: 'authjs.csrf-token' });
      await at.profile.request.get(`${at.site.origin}/api/auth/csrf`);
      await route.continue();
    };
    await tab.page.route('**/callback/credentials?*', overtake, { times: 1 });
    const result = await tab.run(`app.signIn('credentials', { ${password}, redirect: false })`);
    expect(result).toMatchObject({ ok: true });
    expect(at.site.requests.filter((request) => request.startsWith('POST'))).toHaveLength(2);
  });

  it('fails if the server refuses the token', async () => {
    const tab = await at.open();
    await tab.page.route('**/api/auth/csrf', (route) => route.fulfill({ json: { csrfToken: 'wrong' } }));
    const result = await tab.run(`app.signIn('credentials', { ${password}, redirect: false })`);
    expect(result).toMatchObject({ ok: false, error: 'MissingCSRF', url: null });
    await expect(tab.run('app.signOut({ redirect: false })')).rejects.toThrow('/api/auth/signout: 200');
  });

  it('fails if the server cannot be reached', async () => {
    const tab = await at.open();
    for (const action of ['providers', 'callback']) {
      at.site.disturb(action, 'drop');
      const attempt = tab.run(`app.signIn('credentials', { ${password}, redirect: false })`);
      await expect(attempt).rejects.toThrow('ClientFetchError');
    }
    at.site.disturb('signout', 'fail');
    await expect(tab.run('app.signOut()')).rejects.toThrow('/api/auth/signout: 500');
    at.site.disturb('providers', 'fail');
    await tab.run(`void app.signIn('credentials', { ${password} })`);
    await tab.page.waitForURL('**/api/auth/error');
  });

  it('redirects other visitors from a page for signed-in users', async () => {
    const tab = await at.open({ scene: { provider: {}, page: 'Member' } });
    await tab.page.waitForURL('**/api/auth/signin?error=SessionRequired&callbackUrl=*');
    const { searchParams } = new URL(tab.page.url());
    expect(new URL(searchParams.get('callbackUrl') ?? '').origin).toBe(at.site.origin);
  });

  it('calls `onUnauthenticated` for them', async () => {
    const tab = await at.open({ scene: { provider: {}, page: 'Member', onUnauthenticated: true } });
    await soon(() => tab.run('app.history')).toEqual([
      'loading: ?',
      'unauthenticated: no user',
      'unauthenticated was called',
    ]);
    expect(await tab.page.locator('#member').innerText()).toBe('wait');
  });

  it('goes from a page for signed-in users to the address of the sign-out', async () => {
    await at.signIn('Ada');
    const tab = await at.open({ scene: { provider: {}, page: 'Member' } });
    await tab.sees('authenticated: Ada');
    const visited: string[] = [];
    tab.page.on('framenavigated', (frame) => visited.push(new URL(frame.url()).pathname + new URL(frame.url()).search));
    const slow = gate();
    const held = gate();
    await tab.page.route('**/?bye', async (route) => {
      held.open();
      await slow.closed;
      await route.continue();
    });
    await tab.run(`void app.signOut({ redirectTo: '/?bye' })`);
    await held.closed;
    // Time for effects that must not occur: a session request, and a redirect to the sign-in page.
    for (let trips = 0; trips < 20; trips++) await at.profile.request.get(`${at.site.origin}/api/auth/providers`);
    slow.open();
    await tab.page.waitForURL('**/?bye');
    expect(visited).toEqual(['/?bye']);
    expect(await tab.who()).not.toContain('Ada');
  });

  it('is not undone by a late answer', async () => {
    await at.signIn('Ada');
    const tab = await at.open();
    await tab.sees('authenticated: Ada');
    const slow = gate();
    at.site.disturb('session', slow.closed);
    await tab.run('void app.getSession()');
    await soon(() => at.asked().length).toBe(2);
    const done = tab.run('app.signOut({ redirect: false })');
    // The sign-out waits. Otherwise it would request a token now.
    await tab.run('app.getProviders()');
    slow.open();
    await done;
    await tab.page.reload();
    await tab.sees('unauthenticated: no user');
  });

  it('hides a page for signed-in users when another tab signs out', async () => {
    await at.signIn('Ada');
    const [one, two] = [await at.open({ scene: { provider: {}, page: 'Member' } }), await at.open()];
    await one.sees('authenticated: Ada');
    await two.run(`void app.signOut({ redirectTo: '/?bye' })`);
    await one.page.waitForURL('**/api/auth/signin?error=SessionRequired&callbackUrl=*');
  });
});

describe.skipIf(isWithoutBrowser)('the functions of the client', () => {
  const at = fixture();

  it('return the session, which components show, too', async () => {
    const tab = await at.open();
    await tab.sees('unauthenticated: no user');
    expect(await tab.run('app.getSession()')).toBeNull();
    await at.signIn('Ada');
    expect(await tab.run('app.getSession()')).toMatchObject({ user: { name: 'Ada' } });
    await tab.sees('authenticated: Ada');
    const asked = at.asked().length;
    await tab.run('Promise.all([app.getSession(), app.update(), app.getSession({ broadcast: false })])');
    expect(at.asked()).toHaveLength(asked + 1);
    at.site.disturb('session', 'fail');
    expect(await tab.run('app.getSession()')).toBeNull();
    expect(await tab.who()).toBe('authenticated: Ada');
  });

  it('return the token and the providers', async () => {
    const tab = await at.open();
    expect(await tab.run('app.getCsrfToken()')).toMatch(/^[0-9a-f]{64}$/);
    expect(await tab.run('app.getProviders().then(Object.keys)')).toEqual(['passkey', 'mail', 'credentials']);
    at.site.disturb('csrf', 'drop');
    at.site.disturb('providers', 'fail');
    expect(await tab.run('Promise.all([app.getCsrfToken(), app.getProviders()])')).toEqual(['', null]);
  });

  it('return an updated session by `update`, which stays the same function and keeps the session on failure', async () => {
    const slow = gate();
    await at.signIn('Ada');
    at.site.disturb('session', slow.closed);
    const tab = await at.open();
    await tab.sees('loading: ?');
    expect(await tab.run(`app.update({ name: 'X' })`)).toBeUndefined();
    slow.open();
    await tab.sees('authenticated: Ada');
    expect(await tab.run(`app.update({ name: 'Countess' })`)).toMatchObject({ user: { name: 'Countess' } });
    await tab.sees('authenticated: Countess');
    expect(await tab.run('app.update()')).toMatchObject({ user: { name: 'Countess' } });
    at.site.disturb('session', 'fail');
    expect(await tab.run(`app.update({ name: 'Y' })`)).toBeNull();
    expect(await tab.who()).toBe('authenticated: Countess');
    expect(at.asked()).toEqual(['GET session', 'POST session', 'GET session', 'POST session']);
    expect(await tab.run('app.updates.size')).toBe(1);
    expect(await tab.run('app.history')).toEqual(['loading: ?', 'authenticated: Ada', 'authenticated: Countess']);
  });
});
