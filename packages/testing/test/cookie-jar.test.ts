import { describe, expect, it } from 'vitest';
import { Browser } from '../src/browser.ts';
import { Clock } from '../src/clock.ts';

/**
 * Returns a browser at `origin` that has received these Set-Cookie lines, and a function that reads its Cookie header.
 */
async function having(
  lines: string[],
  {
    origin = 'https://app.test',
    path = '/',
    ...options
  }: { origin?: string; path?: string; now?: () => Date; trustLoopback?: boolean } = {},
) {
  const toSet = [...lines];
  const seen: (string | null)[] = [];
  const browser = new Browser(
    (request) => {
      seen.push(request.headers.get('cookie'));
      return new Response(null, { headers: toSet.splice(0).map((line) => ['set-cookie', line] as [string, string]) });
    },
    { origin, ...options },
  );
  await browser.get(path);
  const sent = async (
    address: string,
    open: Parameters<Browser['open']>[1] = {},
  ): Promise<string | null | undefined> => {
    await browser.open(address, open);
    return seen.at(-1);
  };
  const receive = async (address: string, ...more: string[]): Promise<void> => {
    toSet.push(...more);
    await browser.open(address);
  };
  return { browser, sent, receive };
}

describe('hosts and paths of cookies', () => {
  it('sends a cookie without Domain to its host only', async () => {
    const { sent } = await having(['a=1']);
    expect(await sent('/')).toBe('a=1');
    expect(await sent('https://sub.app.test/')).toBeNull();
    expect(await sent('https://app.test:8443/')).toBe('a=1');
  });

  it('sends a cookie with Domain to all subdomains', async () => {
    const { sent } = await having(['a=1; Domain=.App.test'], { origin: 'https://www.app.test' });
    expect(await sent('https://app.test/')).toBe('a=1');
    expect(await sent('https://other.app.test/')).toBe('a=1');
    expect(await sent('https://evilapp.test/')).toBeNull();
  });

  it.each([
    ['/auth', '/auth', true],
    ['/auth', '/auth/session', true],
    ['/auth', '/authority', false],
    ['/auth', '/', false],
    ['/auth/', '/auth', false],
    ['nonsense', '/auth/deep', true],
  ])('sends Path=%s to %s: %s', async (cookiePath, requestPath, goes) => {
    const { sent } = await having([`a=1; Path=${cookiePath}`], { path: '/auth/signin' });
    expect(await sent(requestPath)).toBe(goes ? 'a=1' : null);
  });

  it('sends longer paths first, then older cookies', async () => {
    const { sent } = await having(['a=1; Path=/', 'b=2; Path=/', 'a=3; Path=/auth', 'b=4; Path=/']);
    expect(await sent('/auth')).toBe('a=3; a=1; b=4');
  });

  it('does not send Secure cookies over http, except to this machine', async () => {
    const { sent } = await having(['a=1; Secure', 'b=2']);
    expect(await sent('http://app.test/')).toBe('b=2');
    expect(await sent('https://app.test/')).toBe('a=1; b=2');
    for (const origin of ['http://localhost:3000', 'http://127.0.0.1:3000']) {
      const local = await having(['a=1; Secure'], { origin });
      expect(await local.sent('/')).toBe('a=1');
      const strict = await having(['a=1; Secure'], { origin, trustLoopback: false });
      expect(strict.browser.rejected).toMatchObject([{ reason: 'insecure-origin' }]);
    }
  });

  it('applies SameSite', async () => {
    const { sent } = await having([
      'strict=1; SameSite=Strict',
      'lax=2; SameSite=Lax',
      'none=3; SameSite=None; Secure',
      'silent=4',
    ]);
    expect(await sent('/', { site: 'same-origin' })).toBe('strict=1; lax=2; none=3; silent=4');
    expect(await sent('/', { site: 'same-site' })).toBe('strict=1; lax=2; none=3; silent=4');
    expect(await sent('/', { site: 'cross-site' })).toBe('lax=2; none=3; silent=4');
    expect(await sent('/', { site: 'cross-site', method: 'POST' })).toBe('none=3');
    expect(await sent('/', { site: 'cross-site', mode: 'cors' })).toBe('none=3');
    expect(await sent('/', { initiator: 'null', method: 'POST' })).toBe('none=3');
    expect(await sent('/', { initiator: 'http://app.test' })).toBe('lax=2; none=3; silent=4');
  });
});

describe('lifetimes of cookies', () => {
  it('prefers Max-Age to Expires, and removes expired cookies', async () => {
    const clock = new Clock('2026-03-01T00:00:00Z');
    const { browser, sent } = await having(
      [
        'a=1; Max-Age=60; Expires=Thu, 01 Jan 1970 00:00:00 GMT',
        'b=2; Expires=Sun, 01 Mar 2026 00:02:00 GMT',
        'c=3',
        'd=4; Max-Age=x; Expires=never',
      ],
      { now: clock.now },
    );
    expect(browser.cookies.get('a')?.expires).toEqual(new Date('2026-03-01T00:01:00Z'));
    clock.advance(60);
    expect(await sent('/')).toBe('b=2; c=3; d=4');
    clock.advance(60);
    expect(await sent('/')).toBe('c=3; d=4');
    browser.cookies.endSession();
    expect(browser.cookies.all()).toEqual([]);
  });

  it('limits lifetimes to 400 days', async () => {
    const clock = new Clock();
    const { browser } = await having([`a=1; Max-Age=${'9'.repeat(20)}`], { now: clock.now });
    expect(browser.cookies.get('a')?.expires?.getTime()).toBe(clock.now().getTime() + 400 * 86_400_000);
  });

  it('replaces and clears by name, domain and path', async () => {
    const { sent, receive } = await having(['a=1; Path=/', 'a=2; Path=/auth']);
    await receive('/', 'a=; Max-Age=0; Path=/');
    expect(await sent('/auth')).toBe('a=2');
    await receive('/', 'a=3; Path=/auth; Domain=app.test');
    expect(await sent('/auth')).toBe('a=2; a=3');
    await receive(
      '/',
      'a=; Path=/auth; Expires=Thu, 01 Jan 1970 00:00:00 GMT',
      'a=; Max-Age=-1; Path=/auth; Domain=app.test',
    );
    expect(await sent('/auth')).toBeNull();
  });
});

describe('refused cookies', () => {
  it.each([
    ['foreign-domain', 'a=1; Domain=other.test'],
    ['foreign-domain', 'a=1; Domain=sub.app.test'],
    ['foreign-domain', 'a=1; Domain=test'],
    ['samesite-none-without-secure', 'a=1; SameSite=None'],
    ['secure-prefix', '__Secure-a=1'],
    ['secure-prefix', '__SECURE-a=1; Path=/'],
    ['secure-prefix', '=__Secure-a=1; Secure'],
    ['host-prefix', '__Host-a=1; Secure'],
    ['host-prefix', '__Host-a=1; Secure; Path=/auth'],
    ['host-prefix', '__Host-a=1; Secure; Path=/; Domain=app.test'],
    ['host-prefix', '__Host-a=1; Path=/'],
    ['control-character', 'a=1\x01'],
    ['control-character', 'a=\x08'],
    ['control-character', 'a=1; Path=/\x1f'],
    ['control-character', '\x7fa=1'],
    ['empty', '; Path=/'],
    ['too-large', `a=${'x'.repeat(4096)}`],
  ])('%s: %s', async (reason, line) => {
    const { browser } = await having([line]);
    expect(browser.rejected).toMatchObject([{ reason, url: 'https://app.test/' }]);
    expect(browser.cookies.all()).toEqual([]);
  });

  it.each([
    '__Secure-a=1; Secure',
    '__Host-a=1; Secure; Path=/',
    `a=${'x'.repeat(4095)}`,
    '__Host-a=1; Secure; Domain=; Path=/',
    'a=1\tb',
    'a=b=c',
    'nameless',
    'a=',
  ])('keeps %s', async (line) => {
    const { browser } = await having([line]);
    expect(browser.rejected).toEqual([]);
    expect(browser.cookies.all()).toHaveLength(1);
  });

  it('does not let an http page overwrite a Secure cookie', async () => {
    const { browser, receive } = await having(['a=1; Secure; Path=/', 'b=1; Path=/']);
    await receive('http://app.test/', 'a=2; Path=/', 'a=2; Path=/deep', 'b=2; Path=/');
    expect(browser.rejected.map(({ reason }) => reason)).toEqual([
      'secure-cookie-in-the-way',
      'secure-cookie-in-the-way',
    ]);
    expect(browser.cookies.all().map(({ name, value }) => name + value)).toEqual(['a1', 'b2']);
    await receive('http://app.test/', 'c=1; Secure');
    expect(browser.rejected.at(-1)?.reason).toBe('insecure-origin');
  });
});

describe('a jar that a test changes', () => {
  it('reads, sets, deletes and clears cookies', async () => {
    const { browser, sent } = await having(['a=1; HttpOnly; SameSite=Strict']);
    expect(browser.cookies.get('a')).toMatchObject({
      value: '1',
      domain: 'app.test',
      hostOnly: true,
      path: '/',
      httpOnly: true,
      secure: false,
      sameSite: 'Strict',
    });
    browser.cookies.set('a', 'planted', { domain: 'app.test', path: '/auth' });
    expect(await sent('/auth')).toBe('a=planted; a=1');
    expect(browser.cookies.get('a', { url: '/auth/x' })?.value).toBe('planted');
    expect(browser.cookies.has('a', { url: 'https://sub.app.test/' })).toBe(false);
    expect(browser.cookies.delete('a', { url: 'https://sub.app.test/auth' })).toBe(true);
    expect(await sent('/auth')).toBe('a=1');
    expect(browser.cookies.delete('b')).toBe(false);
    browser.cookies.clear();
    expect(browser.cookies.has('a')).toBe(false);
  });

  it('does not share cookies with its clone', async () => {
    const { browser } = await having(['a=1']);
    const thief = browser.clone();
    browser.cookies.clear();
    expect(thief.cookies.get('a')?.value).toBe('1');
    thief.cookies.set('b', '2');
    expect(browser.cookies.has('b')).toBe(false);
  });
});
