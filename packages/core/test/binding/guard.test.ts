import { type AccessFacts, decideAccess } from '@latchkey/core/binding';
import { SessionRequired } from '@latchkey/core/errors';
import { describe, expect, it } from 'vitest';
import GitHub from '../../src/providers/github.ts';
import type { AuthConfig } from '../../src/types/config.ts';

const document = { 'sec-fetch-mode': 'navigate' };

function access(
  facts: Partial<Omit<AccessFacts, 'header' | 'configured'>> = {},
  headers: Record<string, string> = document,
  config: Partial<AuthConfig> = {},
) {
  return decideAccess({
    configured: { config: { providers: [GitHub], ...config }, call: {} },
    basePath: '/auth',
    session: null,
    method: 'GET',
    path: '/account?tab=keys',
    header: (name) => headers[name],
    ...facts,
  });
}

const signIn = '/auth/signin?callbackUrl=%2Faccount%3Ftab%3Dkeys';

describe('a guard', () => {
  it('passes a request with a session', () => {
    const session = { expires: '', user: {} };
    expect(access({ session, method: 'POST' })).toEqual({ kind: 'pass', session });
  });

  it.each([
    ['GET', document],
    ['HEAD', document],
    ['GET', { accept: 'text/html,*/*' }],
  ])('sends a browser that opens a page to the sign-in page: %s %j', (method, headers) => {
    expect(access({ method }, headers)).toEqual({ kind: 'redirect', url: signIn });
  });

  it('lets the router of the framework load the sign-in page', () => {
    expect(access({ isDataRequest: true }, { 'sec-fetch-mode': 'cors' })).toEqual({
      kind: 'document-redirect',
      url: signIn,
    });
  });

  it.each([
    ['POST', document],
    ['GET', { 'sec-fetch-mode': 'cors', accept: 'text/html' }],
    ['GET', { accept: 'application/json' }],
    ['GET', {}],
  ])('refuses any other request: %s %j', (method, headers) => {
    const error = new SessionRequired();
    expect(error).toMatchObject({ status: 401, statusCode: 401, expose: true, message: 'Sign in first.' });
    expect(access({ method }, headers)).toEqual({ kind: 'refuse', error });
  });

  it.each(['//evil.example/x', '/\\evil.example/x', '/%2fevil'])('returns to a path of the site: %s', (path) => {
    const result = access({ path });
    const url = 'url' in result ? result.url : '';
    const target = new URL(url, 'https://example.com').searchParams.get('callbackUrl') ?? '';
    expect(new URL(target, 'https://example.com').origin).toBe('https://example.com');
  });

  it("sends visitors to the application's own sign-in page, and lets it pass", () => {
    const pages = { signIn: '/login?from=guard' };
    expect(access({ path: '/' }, document, { pages })).toEqual({
      kind: 'redirect',
      url: '/login?from=guard&callbackUrl=%2F',
    });
    for (const path of ['/login', '/login/?error=x']) {
      expect(access({ path, method: 'POST' }, {}, { pages })).toEqual({ kind: 'pass', session: null });
    }
    for (const path of ['/LOGIN', '/login/x', '/x/../login']) {
      expect(access({ path }, document, { pages }).kind).toBe('redirect');
    }
  });

  it.each(['signin', 'signin/github', 'callback/github?code=1', 'session', 'asset/page.js', 'webauthn-options/github'])(
    'lets the action %s pass',
    (action) => {
      expect(access({ path: `/auth/${action}`, method: 'POST' }).kind).toBe('pass');
      expect(access({ basePath: '', path: `/${action}`, method: 'POST' }).kind).toBe('pass');
    },
  );

  it.each(['signin/orders', 'callback/orders', 'code/x', 'asset/logo.png', 'asset/page.js/x', 'webauthn-options/x'])(
    "does not take the application's page /%s for an action at the root",
    (page) => {
      expect(access({ basePath: '', path: `/${page}` }).kind).toBe('redirect');
    },
  );

  it('takes little time for a path of slashes', () => {
    const before = cpuUsage();
    expect(access({ path: `${'/'.repeat(200_000)}x` }).kind).toBe('redirect');
    expect(cpuUsage().user - before.user).toBeLessThan(2_000_000);
  });
});

/** Microseconds of this thread, which other work does not change. */
function cpuUsage(): NodeJS.CpuUsage {
  return (process.threadCpuUsage ?? process.cpuUsage)();
}
