import { DEFAULT_SECRET, FakeProvider, memoryAdapter } from '@latchkey/testing';
import { describe, expect, it } from 'vitest';
import GitHub from '../../src/providers/github.ts';
import { customFetch } from '../../src/symbols.ts';
import { type Door, oneDoor } from '../flows/doors.ts';
import { asked, expectRefused, leadsTo, scene } from '../flows/scene.ts';

interface Vendor {
  user?: Record<string, unknown>;
  emails?: unknown;
  status?: number;
  base?: string;
}

/** GitHub as its documentation describes it: no ID token, no metadata, a User-Agent on every request to the API. */
function github({ user = {}, emails = [], status = 200, base }: Vendor = {}) {
  const site = base ?? 'https://github.com';
  const api = base ? `${base}/api/v3` : 'https://api.github.com';
  const answer = (request: Request, body: unknown): Response =>
    request.headers.get('user-agent')
      ? Response.json(body, { status })
      : new Response('no User-Agent', { status: 403 });
  const ada = { id: 583231, login: 'ada', name: null, email: null, avatar_url: 'https://github.test/ada.png', ...user };
  const fake = new FakeProvider({
    oidc: false,
    issuer: `${site}/login/oauth`,
    endpoints: { authorization: `${site}/login/oauth/authorize`, token: `${site}/login/oauth/access_token` },
    routes: {
      [`${api}/user`]: (request: Request) => answer(request, ada),
      [`${api}/user/emails`]: (request: Request) => answer(request, emails),
    },
  });
  const provider = GitHub({
    clientId: 'client',
    clientSecret: DEFAULT_SECRET,
    [customFetch]: fake.fetch,
    ...(base ? { enterprise: { baseUrl: base } } : {}),
  });
  return { fake, provider };
}

async function signIn(door: Door, vendor: Vendor, adapter = false) {
  const { fake, provider } = github(vendor);
  const store = adapter ? { adapter: memoryAdapter(), session: { strategy: 'jwt' as const } } : {};
  const app = scene(door, { providers: [provider], ...store });
  const started = await app.begin('github');
  return { app, asked: asked(started), page: await app.finish(await fake.authorize(started.location ?? '')) };
}

describe.each(oneDoor)('GitHub through $name', (door) => {
  it('signs in with the public address, and the login where there is no name', async () => {
    const { app, asked: parameters, page } = await signIn(door, { user: { email: 'Ada@Example.com' } });
    expect(parameters).toMatchObject({ scope: 'read:user user:email', code_challenge_method: 'S256' });
    expect(leadsTo(page)).toBe('/');
    const user = { name: 'ada', email: 'ada@example.com', image: 'https://github.test/ada.png' };
    expect(await app.session()).toMatchObject({ user });
  });

  it('asks for the hidden address, and takes the primary one', async () => {
    const emails = [
      { email: 'old@example.com', primary: false, verified: true },
      { email: 'ada@example.com', primary: true, verified: true },
    ];
    const { app } = await signIn(door, { emails });
    expect(await app.session()).toMatchObject({ user: { email: 'ada@example.com' } });
  });

  it('opens no account under an address that GitHub has not verified', async () => {
    const emails = [{ email: 'victim@example.com', primary: true, verified: false }];
    const { app, page } = await signIn(door, { emails }, true);
    expectRefused(app, page, 'OAuthCreateAccount');
  });

  it('signs in without an address when GitHub tells none', async () => {
    const { app, page } = await signIn(door, { emails: [] });
    expect(leadsTo(page)).toBe('/');
    expect(await app.session()).toMatchObject({ user: { email: null } });
  });

  it('is refused while the API is down', async () => {
    const { app, page } = await signIn(door, { status: 503 });
    expectRefused(app, page, 'OAuthCallbackError');
  });

  it('asks the server of GitHub Enterprise instead', async () => {
    const emails = [
      { email: 'old@example.com', primary: true, verified: false },
      { email: 'ada@example.com', primary: false, verified: true },
    ];
    const { app } = await signIn(door, { base: 'https://git.example', user: { email: 'ada@example.com' }, emails });
    expect(await app.session()).toMatchObject({ user: { email: 'ada@example.com' } });
  });

  it.each([
    ['lists as unverified', [{ email: 'victim@example.com', primary: true, verified: false }]],
    ['does not list', [{ email: 'mallory@example.com', primary: true, verified: true }]],
  ])('does not use a public address that GitHub Enterprise %s', async (_, emails) => {
    const user = { email: 'victim@example.com' };
    const { app, page } = await signIn(door, { base: 'https://git.example', user, emails });
    expect(leadsTo(page)).toBe('/');
    expect((await app.session())?.['user']).toEqual({ name: 'ada', email: null, image: 'https://github.test/ada.png' });
  });
});
