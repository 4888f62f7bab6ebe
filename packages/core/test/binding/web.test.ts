import {
  answerRequest,
  completeResponse,
  type EnvConfigured,
  requestOrigin,
  serverFunctions,
  statusOf,
  visits,
  webRequest,
} from '@latchkey/core/binding';
import { describe, expect, it } from 'vitest';
import Passkey from '../../src/providers/passkey.ts';
import type { AuthConfig } from '../../src/types/config.ts';
import { credentials, signedIn } from './visitor.ts';

/** A framework whose context is the web-standard request. Its pages are functions. */
function site(config: Partial<AuthConfig>, page: (request: Request) => Promise<Response>, headers: HeadersInit = {}) {
  const visitOf = visits<Request>({
    config: { providers: [credentials], trustHost: true, ...config },
    env: {},
    key: (request) => request,
    describe: (request, configured) => ({
      ...webRequest(request),
      origin: requestOrigin(configured, request.headers, new URL(request.url)),
    }),
  });
  const functions = serverFunctions<Request>(visitOf);
  const open = async (path: string, init: RequestInit = {}): Promise<Response> => {
    const request = new Request(`http://localhost:3000${path}`, { headers, ...init });
    const visit = await visitOf(request);
    return (await answerRequest(request, visit)) ?? completeResponse(await page(request), visit);
  };
  return { ...functions, visitOf, open };
}

const cookiesOf = (jar: ReadonlyMap<string, string>): { cookie: string } => ({
  cookie: [...jar].map((pair) => pair.join('=')).join('; '),
});

describe('a binding for web-standard requests', () => {
  it('answers actions, and passes all other requests on', async () => {
    const app = site({ secret: 'x'.repeat(32) }, async () => new Response('page'));
    expect(await (await app.open('/auth/providers')).json()).toHaveProperty('credentials');
    const other = await app.open('/authors');
    expect(await other.text()).toBe('page');
    expect(other.headers.has('cache-control')).toBe(false);
    expect(await (await app.open('/.well-known/webauthn')).text()).toBe('page');
  });

  it('answers with the list of related origins, if there are any', async () => {
    const relayingParty = { id: 'example.com', origin: ['https://example.com', 'https://example.de'] };
    const providers = [Passkey({ relayingParty })];
    const app = site({ secret: 'x'.repeat(32), providers }, async () => new Response('page'));
    const list = await app.open('/.well-known/webauthn');
    expect(await list.json()).toEqual({ origins: relayingParty.origin });
  });

  it('renews the session of a page, and calls change it', async () => {
    const ada = await signedIn({ session: { updateAge: 0 } });
    const { config } = ada.configured;
    const headers = cookiesOf(ada.jar);
    const app = site(config, async (request) => Response.json(await app.auth(request)), headers);
    const page = await app.open('/');
    expect(await page.json()).toMatchObject({ user: { name: 'Ada' } });
    expect(page.headers.getSetCookie().join()).toContain('authjs.session-token=');
    const out = site(config, async (request) => Response.json(await out.signOut(request)), headers);
    const left = await out.open('/', { method: 'POST' });
    expect(left.headers.getSetCookie().join()).toContain('authjs.session-token=;');
  });

  it('returns an immutable response of the application with its cookies', async () => {
    const ada = await signedIn({ session: { updateAge: 0 } });
    const redirect = Response.redirect('http://localhost:3000/in');
    const page = async (request: Request) => {
      await app.auth(request);
      return redirect;
    };
    const app = site(ada.configured.config, page, cookiesOf(ada.jar));
    const response = await app.open('/');
    expect([response.status, response.headers.get('location')]).toEqual([302, 'http://localhost:3000/in']);
    expect(response.headers.getSetCookie()).not.toEqual([]);
  });

  it('rejects a configuration function that returns none, and a request without a valid host', async () => {
    const none = visits({
      config: () => undefined as never,
      key: (key: object) => key,
      describe: () => undefined as never,
    });
    await expect(none({})).rejects.toThrow('needs a configuration');
    const app = site({ secret: 'x'.repeat(32) }, async () => new Response());
    const visit = await app.visitOf(new Request('http://localhost:3000/'));
    expect(
      await visit
        .as({ ...visit.request, origin: '' })
        .session()
        .catch(statusOf),
    ).toBe(400);
  });
});

describe('the origin of a request', () => {
  const configured = (config: Partial<AuthConfig>, own: Partial<EnvConfigured> = {}): EnvConfigured => ({
    config: { providers: [], ...config },
    call: {},
    ...own,
  });
  const proxied = { host: 'app:3000', 'x-forwarded-host': 'example.com', 'x-forwarded-proto': 'https' };
  const address = new URL('http://internal:8080/x');

  it.each<[string, EnvConfigured, Record<string, string>, string]>([
    ['that of AUTH_URL', configured({}, { call: { origin: 'https://a.example' } }), proxied, 'https://a.example'],
    ['that of the forwarded headers', configured({ trustHost: true }), proxied, 'https://example.com'],
    ['that of Host', configured({ trustHost: true }), { host: 'b.example' }, 'http://b.example'],
    ['that of the URL', configured({ trustHost: true }), {}, 'http://internal:8080'],
    [
      'that of Host where X-Forwarded-Host is of the client',
      configured({ trustHost: true }, { ignoresForwardedHost: true }),
      proxied,
      'https://app:3000',
    ],
    [
      'that of Host if only private hosts are trusted',
      configured({ trustHost: 'local' }),
      { host: 'localhost:3000', 'x-forwarded-host': '127.0.0.1' },
      'http://localhost:3000',
    ],
    [
      'a public one that core refuses, if only private hosts are trusted',
      configured({ trustHost: 'local' }),
      { host: 'localhost:3000', 'x-forwarded-host': 'evil.example' },
      'http://evil.example',
    ],
    [
      'that of the URL for a host that is not one',
      configured({ trustHost: true }),
      { host: 'a b' },
      'http://internal:8080',
    ],
  ])('is %s', (_which, own, headers, origin) => {
    expect(requestOrigin(own, { get: (name) => headers[name] ?? null }, address)).toBe(origin);
  });

  it('is empty without any address', () => {
    expect(requestOrigin(configured({}), new Headers())).toBe('');
  });
});
