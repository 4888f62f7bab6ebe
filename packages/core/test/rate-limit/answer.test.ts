import { describe, expect, it } from 'vitest';
import { Auth } from '../../src/auth.ts';
import { signIn } from '../../src/binding/server-call.ts';
import { RateLimited } from '../../src/errors.ts';
import { raw } from '../../src/symbols.ts';
import { destination, visitor } from '../binding/visitor.ts';
import { SECRET } from '../flows/scene.ts';
import { limitedScene, MINUTES } from './scene.ts';

const asUrl = { headers: { 'x-auth-return-redirect': '1' } };

async function blocked(...args: Parameters<typeof limitedScene>): Promise<ReturnType<typeof limitedScene>> {
  const app = limitedScene(...args);
  await app.fail(20);
  app.clock.advance(5 * MINUTES + 0.5);
  return app;
}

describe('the response to an attempt above the limit', () => {
  it('is the sign-in page with a sentence, status 429, and the seconds to wait, rounded up', async () => {
    // No name of hexadecimal digits: the page's token may have them in this order.
    const app = limitedScene();
    await app.fail(20, 'wilma');
    app.clock.advance(5 * MINUTES + 0.5);
    const page = await app.attempt('wilma');
    expect(page.status).toBe(429);
    expect(page.headers.get('retry-after')).toBe('600');
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.headers.get('cache-control')).toBe('private, no-store');
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(page.text()).toContain('Too many attempts. Try again in\u00A010\u00A0minutes.');
    expect(page.text()).not.toContain('wilma');
  });

  it('has a form that works when the wait is over', async () => {
    const app = await blocked();
    const page = await app.attempt('ada');
    app.clock.advance(Number(page.headers.get('retry-after')));
    const again = await app.browser.submit(app.browser.form(page), { username: 'ada', password: 'right' });
    expect(again.status).toBe(302);
    expect(await app.session()).toMatchObject({ user: { name: 'ada' } });
  });

  it('sets a cookie for the form in a browser without one', async () => {
    const app = await blocked();
    const call = { now: app.clock.now, forms: 'host-checked' } as const;
    const body = new URLSearchParams({ username: 'ada', callbackUrl: '/in' });
    const request = new Request('http://localhost:3000/auth/callback/credentials', { method: 'POST', body });
    const answer = await Auth(request, app.config, call);
    expect(answer.status).toBe(429);
    expect(answer.headers.get('set-cookie')).toContain('authjs.callback-url');
  });

  it('is `{ url }` with the code for scripts that ask for it, with the same status', async () => {
    const app = await blocked();
    const { csrfToken } = (await app.browser.get('/auth/csrf')).json<{ csrfToken: string }>();
    const page = await app.browser.post('/auth/callback/credentials', { csrfToken, username: 'ada' }, asUrl);
    expect([page.status, page.headers.get('retry-after')]).toEqual([429, '600']);
    expect(page.json()).toEqual({
      url: 'http://localhost:3000/auth/signin?error=RateLimited&provider=credentials&retryAfter=600',
    });
    expect(page.location).toBeUndefined();
  });

  it("links to the application's own sign-in page, if there is one", async () => {
    const app = await blocked(undefined, { pages: { signIn: '/login?x=1' } });
    const page = await app.attempt('ada');
    const own = 'http://localhost:3000/login?x=1&error=RateLimited&provider=credentials&retryAfter=600';
    expect([page.status, page.headers.get('refresh')]).toEqual([429, `0; url=${own}`]);
    expect(page.text()).toContain('/login?x=1&amp;error=RateLimited');
    const { csrfToken } = (await app.browser.get('/auth/csrf')).json<{ csrfToken: string }>();
    const told = await app.browser.post('/auth/callback/credentials', { csrfToken, username: 'ada' }, asUrl);
    expect(told.json()).toEqual({ url: own });
  });

  it('is the same for names that exist and names that do not', async () => {
    const seen = async (name: string) => {
      const app = limitedScene();
      await app.fail(20, name);
      const page = await app.attempt(name, 'right');
      return [page.status, page.headers.get('retry-after'), page.text().replace(/[\da-f]{64}/g, 'token')];
    };
    expect(await seen('ada')).toEqual(await seen('unknown'));
  });

  it('is logged once, with the kind of counter and without the name', async () => {
    const app = await blocked();
    const before = app.log.errors.length;
    await app.attempt('ada-lovelace-no');
    await app.attempt('ada');
    const [, error] = app.log.errors.slice(before);
    expect(app.log.errors).toHaveLength(before + 2);
    expect(error).toBeInstanceOf(RateLimited);
    expect(error?.cause).toEqual({ provider: 'credentials', by: 'identifier', retryAfter: 600 });
    expect(JSON.stringify([error, error?.message, error?.cause])).not.toContain('ada');
  });

  it('is an exception for callers in raw mode', async () => {
    const app = await blocked();
    const request = new Request('http://localhost:3000/auth/callback/credentials', {
      method: 'POST',
      body: new URLSearchParams({ username: 'ada' }),
    });
    const reply = Auth(
      request,
      { ...app.config, raw, skipCSRFCheck: undefined } as never,
      {
        now: app.clock.now,
        forms: 'host-checked',
      } as never,
    );
    await expect(reply).rejects.toMatchObject({ type: 'RateLimited', kind: 'signIn', retryAfter: 600 });
  });
});

describe('a server-side sign-in', () => {
  it('throws RateLimited with the seconds to wait, and starts no session', async () => {
    const { configured, host, set } = visitor({ secret: SECRET });
    for (let time = 0; time < 20; time++) {
      await signIn(configured, host(), 'credentials', { name: 'Ada', password: 'x' }).catch(() => undefined);
    }
    set.length = 0;
    const late = signIn(configured, host(), 'credentials', { name: 'Ada', password: 'password' });
    await expect(late).rejects.toMatchObject({ type: 'RateLimited', retryAfter: 900 });
    expect(set).toEqual([]);
    const other = signIn(configured, host(), 'credentials', { name: 'Grace', password: 'password', redirectTo: '/in' });
    expect(await destination(other)).toBe('http://localhost:3000/in');
  });

  it('counts the network that the host names', async () => {
    const { configured, host } = visitor({ rateLimit: { network: { limit: 2 } } });
    const from = (clientAddress: string, name: string) =>
      signIn(configured, host({ clientAddress }), 'credentials', { name, password: 'x' }).catch((error) => error.type);
    expect(await from('198.51.100.1', 'a')).toBe('CredentialsSignin');
    expect(await from('198.51.100.1', 'b')).toBe('CredentialsSignin');
    expect(await from('198.51.100.1', 'c')).toBe('RateLimited');
    expect(await from('198.51.100.2', 'c')).toBe('CredentialsSignin');
  });
});
