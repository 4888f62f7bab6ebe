import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect, it } from 'vitest';
import { doctor, healthyEnv, writeProject } from './fixtures/project.ts';

type Answer = (request: IncomingMessage, response: ServerResponse, origin: string) => void;

const servers: Server[] = [];

/** Starts a server on a loopback address. Returns its origin, and the requests that it gets. */
async function serverOf(answer: Answer): Promise<{ origin: string; requests: string[]; bodies: string[] }> {
  const requests: string[] = [];
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    let body = '';
    request.on('data', (chunk) => (body += chunk));
    request.on('end', () => {
      bodies.push(body);
      answer(request, response, origin);
    });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { origin, requests, bodies };
}

afterAll(() => {
  for (const server of servers) server.close().closeAllConnections();
});

const json = (response: ServerResponse, value: unknown, headers: Record<string, string | string[]> = {}): void => {
  response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value));
};

const metadataOf = (origin: string, more: object = {}): object => ({
  issuer: origin,
  authorization_endpoint: `${origin}/authorize`,
  token_endpoint: `${origin}/token`,
  jwks_uri: `${origin}/keys`,
  code_challenge_methods_supported: ['S256'],
  token_endpoint_auth_methods_supported: ['client_secret_basic'],
  ...more,
});

/** A provider that works, except for what `more` replaces. */
function provider(
  more: Partial<Record<`/${string}`, Answer>> & { metadata?: (origin: string) => object } = {},
): Answer {
  return (request, response, origin) => {
    const path = (request.url ?? '').split('?')[0] ?? '';
    const own = more[path as `/${string}`];
    if (own) return own(request, response, origin);
    if (path.endsWith('/openid-configuration')) return json(response, metadataOf(origin, more.metadata?.(origin)));
    if (path === '/keys') return json(response, { keys: [{ kty: 'RSA', kid: '1' }] });
    response.writeHead(400, { 'content-type': 'application/json' }).end('{"error":"invalid_grant"}');
  };
}

async function diagnosed(
  answer: Answer,
  { args = [], issuer = (origin: string) => origin }: { args?: string[]; issuer?: (origin: string) => string } = {},
) {
  const { origin, requests, bodies } = await serverOf(answer);
  const options = `id: 'acme', name: 'Acme', type: 'oidc', issuer: '${issuer(origin)}', clientId: 'web-1', clientSecret: 'Zk3Lp9Qw'`;
  const project = writeProject({
    files: {
      'auth.js': `import { defineConfig } from '@latchkey/core';\nexport default defineConfig({ providers: [{ ${options} }] });`,
    },
  });
  try {
    const env = { AUTH_SECRET: healthyEnv['AUTH_SECRET'], AUTH_URL: 'https://shop.example' };
    const result = await doctor(project.root, env, args);
    return { ...result, ids: result.findings.map(({ id }) => id), origin, requests, bodies };
  } finally {
    project.remove();
  }
}

describe('the checks of providers', () => {
  it('find nothing at a provider that works, with two requests', async () => {
    const { findings, requests } = await diagnosed(provider());
    expect(findings).toEqual([]);
    expect(requests).toEqual(['GET /.well-known/openid-configuration', 'GET /keys']);
  });

  it.each<[id: string, words: RegExp, answer: Answer]>([
    [
      'provider-metadata',
      /answered 404/,
      provider({ '/.well-known/openid-configuration': (_, r) => r.writeHead(404).end() }),
    ],
    [
      'provider-metadata',
      /answered 302/,
      provider({ '/.well-known/openid-configuration': (_, r) => r.writeHead(302, { location: '/x' }).end() }),
    ],
    [
      'provider-metadata',
      /did not answer with JSON/,
      provider({ '/.well-known/openid-configuration': (_, r) => r.end('<html>') }),
    ],
    [
      'provider-metadata',
      /larger than 1 MiB|byte|large/,
      provider({ '/.well-known/openid-configuration': (_, r) => r.end(`{"a":"${'x'.repeat(1_100_000)}"}`) }),
    ],
    [
      'provider-issuer',
      /"https:\/\/other\.example"/,
      provider({ metadata: () => ({ issuer: 'https://other.example' }) }),
    ],
    ['provider-keys', /answered 500/, provider({ '/keys': (_, r) => r.writeHead(500).end() })],
    ['provider-keys', /has no keys/, provider({ '/keys': (_, r) => json(r, { keys: [] }) })],
    [
      'provider-https',
      /token_endpoint/,
      provider({ metadata: () => ({ token_endpoint: 'http://id.acme.example/token' }) }),
    ],
    ['provider-pkce', /S256/, provider({ metadata: () => ({ code_challenge_methods_supported: ['plain'] }) })],
    [
      'provider-client-auth',
      /client_secret_post/,
      provider({ metadata: () => ({ token_endpoint_auth_methods_supported: ['client_secret_post'] }) }),
    ],
    [
      'clock',
      /This clock is 9\d s behind/,
      provider({
        '/.well-known/openid-configuration': (_, r, origin) =>
          json(r, metadataOf(origin), { date: new Date(Date.now() + 95_000).toUTCString() }),
      }),
    ],
  ])('report %s: %s', async (id, words, answer) => {
    const { findings, ids } = await diagnosed(answer);
    expect(ids).toEqual([id]);
    expect(findings[0]?.message).toMatch(words);
  });

  it('find nothing if the issuers differ only in the slash of the root, as sign-ins do', async () => {
    expect((await diagnosed(provider(), { issuer: (origin) => `${origin}/` })).ids).toEqual([]);
    expect((await diagnosed(provider({ metadata: (origin) => ({ issuer: `${origin}/` }) }))).ids).toEqual([]);
  });

  it('report a provider that does not answer', async () => {
    const { findings, ids } = await diagnosed(provider(), { issuer: () => 'http://127.0.0.1:1' });
    expect([ids, findings[0]?.message]).toEqual([
      ['provider-metadata'],
      expect.stringMatching(/http:\/\/127\.0\.0\.1:1\/.*(ECONNREFUSED|bad port)/),
    ]);
  });

  it('remove escape sequences from the texts of a provider', async () => {
    const issuer = '\u001b[2J\u001b]0;owned\u0007https://evil.example\u202e';
    const { out, ids } = await diagnosed(provider({ metadata: () => ({ issuer }) }));
    expect(ids).toEqual(['provider-issuer']);
    expect(out).toContain('https://evil.example');
    // JSON writes them as `\u001b`.
    for (const code of ['001b', '0007', '202e']) {
      expect(out).not.toContain(`\\u${code}`);
      expect(out).not.toContain(String.fromCharCode(Number.parseInt(code, 16)));
    }
  });

  it('send a code only with --probe-clients, and tell a refused client', async () => {
    const refusing = provider({
      '/token': (_, r) => r.writeHead(401, { 'content-type': 'application/json' }).end('{"error":"invalid_client"}'),
    });
    const quiet = await diagnosed(refusing);
    expect([quiet.ids, quiet.requests.filter((one) => one.startsWith('POST'))]).toEqual([[], []]);
    const probed = await diagnosed(refusing, { args: ['--probe-clients'] });
    expect(probed.ids).toEqual(['client-refused']);
    expect(probed.bodies.join()).toContain('code=latchkey-probe');
    expect((await diagnosed(provider(), { args: ['--probe-clients'] })).ids).toEqual([]);
  });

  it.each<[id: string, more: (origin: string) => object]>([
    ['provider-issuer', () => ({ issuer: 'https://other.example' })],
    // This address leads to this machine, but is not a loopback address.
    ['provider-https', (origin) => ({ token_endpoint: `${origin.replace('127.0.0.1', '0.0.0.0')}/token` })],
  ])('send no client secret to an endpoint that sign-ins do not use: %s', async (id, more) => {
    const answer = provider({
      '/.well-known/openid-configuration': (_, r, origin) => json(r, metadataOf(origin, more(origin))),
    });
    const { ids, requests } = await diagnosed(answer, { args: ['--probe-clients'] });
    expect([ids, requests.filter((one) => one.startsWith('POST'))]).toEqual([[id], []]);
  });
});

/** A site whose answers are those of Latchkey, except for what `more` replaces. */
function site(more: Partial<Record<string, Answer>> = {}): Answer {
  let count = 0;
  return (request, response, origin) => {
    const own = more[request.url ?? ''];
    if (own) return own(request, response, origin);
    if (request.url === '/auth/providers')
      return json(response, { acme: { id: 'acme', callbackUrl: `${origin}/auth/callback/acme` } });
    if (request.url === '/auth/csrf')
      return json(
        response,
        { csrfToken: String(count++) },
        { 'set-cookie': `authjs.csrf-token=${count}; Path=/; HttpOnly` },
      );
    if (request.url === '/auth/signin') return void response.end('<html>');
    response.writeHead(404).end();
  };
}

describe('the checks of a site', () => {
  async function checked(answer: Answer) {
    const running = await serverOf(answer);
    const result = await diagnosed(provider(), { args: ['--url', running.origin] });
    return { ...result, requests: running.requests };
  }

  it('find nothing at a site that works, with GET requests alone', async () => {
    const { findings, requests } = await checked(site());
    expect(findings).toEqual([]);
    expect(requests.every((request) => request.startsWith('GET /auth/'))).toBe(true);
  });

  it.each<[id: string, answer: Answer]>([
    ['site-answer', (_, r) => r.writeHead(404).end()],
    [
      'site-origin',
      site({
        '/auth/providers': (_, r) => json(r, { acme: { callbackUrl: 'http://internal:3000/auth/callback/acme' } }),
      }),
    ],
    ['site-providers', site({ '/auth/providers': (_, r) => json(r, {}) })],
    [
      'site-cookie-domain',
      site({
        '/auth/csrf': (_, r) =>
          json(r, { csrfToken: Math.random() }, { 'set-cookie': 'authjs.csrf-token=1; Domain=shop.example' }),
      }),
    ],
    ['site-cookie-lost', site({ '/auth/csrf': (_, r) => json(r, { csrfToken: Math.random() }) })],
    [
      'site-cached',
      site({ '/auth/csrf': (_, r) => json(r, { csrfToken: 'one' }, { 'set-cookie': 'authjs.csrf-token=1' }) }),
    ],
    [
      'site-redirect-loop',
      site({
        '/auth/signin': (_, r) => r.writeHead(302, { location: '/login' }).end(),
        '/login': (_, r) => r.writeHead(302, { location: '/auth/signin' }).end(),
      }),
    ],
  ])('report %s', async (id, answer) => {
    expect((await checked(answer)).ids).toEqual([id]);
  });
});
