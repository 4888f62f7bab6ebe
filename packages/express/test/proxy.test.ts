import { encode } from '@latchkey/core/jwt';
import { ExpressAuth, getSession } from '@latchkey/express';
import { describe, expect, it } from 'vitest';
import { configuration, env, frameworks, secret, serve } from './site.ts';

const forwarded = {
  'x-forwarded-proto': 'https, http',
  'x-forwarded-host': 'example.com, inner.test',
  'x-forwarded-for': '203.0.113.7',
};

/** Where the library takes itself to be. */
async function whereabouts(origin: string, headers: Record<string, string> = {}): Promise<string> {
  const answer = await fetch(`${origin}/auth/providers`, { headers });
  return (await answer.json()).credentials.signinUrl.replace('/auth/signin/credentials', '');
}

async function cookieNames(origin: string, headers: Record<string, string> = {}): Promise<string[]> {
  const answer = await fetch(`${origin}/auth/csrf`, { headers });
  return answer.headers.getSetCookie().map((line) => line.split('=')[0] ?? '');
}

describe.each(frameworks)('behind a proxy, %s', (_name, express) => {
  it('believes no forwarded header unless `trust proxy` says so', async () => {
    const { origin } = await serve(express().use('/auth', ExpressAuth(configuration(), env)));
    expect(await whereabouts(origin, forwarded)).toBe(origin);
    expect(await cookieNames(origin, forwarded)).toEqual(['authjs.csrf-token', 'authjs.callback-url']);
  });

  it('believes them with `trust proxy`: protocol, host and port, and secure cookies', async () => {
    const app = express().set('trust proxy', true).use('/auth', ExpressAuth(configuration(), env));
    const { origin } = await serve(app);
    expect(await whereabouts(origin, forwarded)).toBe('https://example.com');
    expect(await whereabouts(origin, { ...forwarded, 'x-forwarded-host': 'example.com:8443' })).toBe(
      'https://example.com:8443',
    );
    expect(await cookieNames(origin, forwarded)).toEqual(['__Host-authjs.csrf-token', '__Secure-authjs.callback-url']);
    expect(await whereabouts(origin, { 'x-forwarded-proto': 'https' })).toBe(origin.replace('http:', 'https:'));
    expect(await whereabouts(origin)).toBe(origin);
  });

  it('asks `trust proxy` about the very address', async () => {
    const app = express().set('trust proxy', '192.0.2.1').use('/auth', ExpressAuth(configuration(), env));
    expect(await whereabouts((await serve(app)).origin, forwarded)).not.toContain('example.com');
    const near = express().set('trust proxy', 'loopback').use('/auth', ExpressAuth(configuration(), env));
    expect(await whereabouts((await serve(near)).origin, forwarded)).toBe('https://example.com');
  });

  it('takes the setting of the application that it is mounted in', async () => {
    const inner = express().use('/auth', ExpressAuth(configuration(), env));
    const { origin } = await serve(express().set('trust proxy', true).use(inner));
    expect(await whereabouts(origin, forwarded)).toBe('https://example.com');
  });

  it('answers 400 to a request whose host or protocol is none', async () => {
    const app = express().set('trust proxy', true).use('/auth', ExpressAuth(configuration(), env));
    const { origin } = await serve(app);
    for (const host of ['a b', 'exa/mple', 'user@example.com', 'example.com#', 'example.com:99999', '[::1', '\\evil']) {
      const answer = await fetch(`${origin}/auth/providers`, { headers: { 'x-forwarded-host': host } });
      expect([host, answer.status]).toEqual([host, 400]);
    }
    const answer = await fetch(`${origin}/auth/providers`, { headers: { 'x-forwarded-proto': 'javascript' } });
    expect(answer.status).toBe(400);
  });

  it.each([
    ['AUTH_URL', 'https://example.org'],
    ['NEXTAUTH_URL', 'https://example.org/elsewhere'],
  ])('lets %s win over every header, but not over the mount', async (variable, value) => {
    const app = express().set('trust proxy', true);
    app.use('/auth', ExpressAuth(configuration(), { [variable]: value }));
    const { origin } = await serve(app);
    for (const headers of [{}, forwarded, { 'x-forwarded-host': 'a b' }]) {
      expect(await whereabouts(origin, headers)).toBe('https://example.org');
    }
    expect(await cookieNames(origin)).toEqual(['__Host-authjs.csrf-token', '__Secure-authjs.callback-url']);
  });

  it('reads sessions by the same rules', async () => {
    const config = configuration();
    const app = express().set('trust proxy', true);
    app.get('/plain', async (request, response) => void response.json(await getSession(request, config, env)));
    const fixed = { AUTH_URL: 'https://example.org' };
    app.get('/fixed', async (request, response) => void response.json(await getSession(request, config, fixed)));
    const { origin } = await serve(app);
    const seen = async (path: string, name: string, headers: Record<string, string> = {}): Promise<string | null> => {
      const cookie = `${name}=${await encode({ token: { name: 'Ada' }, secret, salt: name })}`;
      const session = await (await fetch(origin + path, { headers: { cookie, ...headers } })).json();
      return session?.user.name ?? null;
    };
    const [plain, secure] = ['authjs.session-token', '__Secure-authjs.session-token'] as const;
    expect([await seen('/plain', plain), await seen('/plain', secure)]).toEqual(['Ada', null]);
    expect([await seen('/plain', plain, forwarded), await seen('/plain', secure, forwarded)]).toEqual([null, 'Ada']);
    expect([await seen('/fixed', plain), await seen('/fixed', secure)]).toEqual([null, 'Ada']);
  });
});
