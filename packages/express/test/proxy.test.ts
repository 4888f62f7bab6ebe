import { request as httpRequest, type IncomingMessage } from 'node:http';
import { ExpressAuth, type ExpressAuthConfig, getSession } from '@latchkey/express';
import { describe, expect, it } from 'vitest';
import { forgedHosts } from '../../core/test/attacks/forged-hosts.ts';
import { configuration, env, frameworks, serve, sessionCookie } from './site.ts';

const forwarded = {
  'x-forwarded-proto': 'https, http',
  'x-forwarded-host': 'example.com, inner.test',
  'x-forwarded-for': '203.0.113.7',
};

/** Returns the origin that the library uses. */
async function whereabouts(origin: string, headers: Record<string, string> = {}): Promise<string> {
  const answer = await fetch(`${origin}/auth/providers`, { headers });
  return (await answer.json()).credentials.signinUrl.replace('/auth/signin/credentials', '');
}

async function cookieNames(origin: string, headers: Record<string, string> = {}): Promise<string[]> {
  const answer = await fetch(`${origin}/auth/csrf`, { headers });
  return answer.headers.getSetCookie().map((line) => line.split('=')[0] ?? '');
}

describe.each(frameworks)('behind a proxy, %s', (_name, express) => {
  it('ignores forwarded headers without `trust proxy`', async () => {
    const { origin } = await serve(express().use('/auth', ExpressAuth(configuration(), env)));
    expect(await whereabouts(origin, forwarded)).toBe(origin);
    expect(await cookieNames(origin, forwarded)).toEqual(['authjs.csrf-token', 'authjs.callback-url']);
  });

  it('uses them with `trust proxy`: protocol, host, port, secure cookies', async () => {
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

  it('checks the address of the proxy', async () => {
    const app = express().set('trust proxy', '192.0.2.1').use('/auth', ExpressAuth(configuration(), env));
    expect(await whereabouts((await serve(app)).origin, forwarded)).not.toContain('example.com');
    const near = express().set('trust proxy', 'loopback').use('/auth', ExpressAuth(configuration(), env));
    expect(await whereabouts((await serve(near)).origin, forwarded)).toBe('https://example.com');
  });

  it('uses the setting of the outer application', async () => {
    const inner = express().use('/auth', ExpressAuth(configuration(), env));
    const { origin } = await serve(express().set('trust proxy', true).use(inner));
    expect(await whereabouts(origin, forwarded)).toBe('https://example.com');
  });

  it('answers 400 to an invalid host or protocol', async () => {
    const app = express().set('trust proxy', true).use('/auth', ExpressAuth(configuration(), env));
    const { origin } = await serve(app);
    for (const host of ['a b', 'exa/mple', 'user@example.com', 'example.com#', 'example.com:99999', '[::1', '\\evil']) {
      const answer = await fetch(`${origin}/auth/providers`, { headers: { 'x-forwarded-host': host } });
      expect([host, answer.status]).toEqual([host, 400]);
    }
    const answer = await fetch(`${origin}/auth/providers`, { headers: { 'x-forwarded-proto': 'javascript' } });
    expect(answer.status).toBe(400);
  });

  it.each<[setting: string, config: Partial<ExpressAuthConfig>, own: Record<string, string>, status: number]>([
    ['the host is trusted', { trustHost: true }, {}, 400],
    ['the host is not trusted', { trustHost: false }, {}, 400],
    ['AUTH_URL names the origin', {}, { AUTH_URL: 'https://example.org' }, 200],
  ])('does not use a forged host if %s', async (_setting, config, own, status) => {
    const app = express()
      .set('trust proxy', true)
      .use('/auth', ExpressAuth(configuration(config), own));
    const { origin } = await serve(app);
    for (const host of forgedHosts) {
      for (const name of ['host', 'x-forwarded-host']) {
        // Of a forwarded list, the first element counts.
        if (name === 'x-forwarded-host' && host.includes(',')) continue;
        const answer = await sendTo(`${origin}/auth/providers`, { [name]: host });
        expect([name, host, answer.status]).toEqual([name, host, status]);
        expect(answer.text).not.toContain('evil');
      }
    }
  });

  it.each([
    ['AUTH_URL', 'https://example.org'],
    ['NEXTAUTH_URL', 'https://example.org/elsewhere'],
  ])('gives %s precedence over all headers, but not over the mount', async (variable, value) => {
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
      const cookie = await sessionCookie({ name: 'Ada' }, name);
      const session = await (await fetch(origin + path, { headers: { cookie, ...headers } })).json();
      return session?.user.name ?? null;
    };
    const [plain, secure] = ['authjs.session-token', '__Secure-authjs.session-token'] as const;
    expect([await seen('/plain', plain), await seen('/plain', secure)]).toEqual(['Ada', null]);
    expect([await seen('/plain', plain, forwarded), await seen('/plain', secure, forwarded)]).toEqual([null, 'Ada']);
    expect([await seen('/fixed', plain), await seen('/fixed', secure)]).toEqual([null, 'Ada']);
  });
});

/** Sends these headers; `fetch` does not let a client choose its `Host`. */
async function sendTo(url: string, headers: Record<string, string>): Promise<{ status: number; text: string }> {
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    httpRequest(url, { headers }, resolve).on('error', reject).end();
  });
  return { status: answer.statusCode ?? 0, text: String(Buffer.concat(await answer.toArray())) };
}
