import type { Fault } from '@latchkey/testing';
import { describe, expect, it } from 'vitest';
import { oneDoor } from './doors.ts';
import { expectRefused, fakeProvider, oauth, oauthScene, oidc, oidcScene, scene, startsSession } from './scene.ts';

const faults: [string, Fault][] = [
  ['500', { status: 500 }],
  ['503 with HTML', { status: 503, body: '<h1>down</h1>', headers: { 'content-type': 'text/html' } }],
  ['429', { status: 429, body: '' }],
  ['204', { status: 204 }],
  ['HTML with 200', { body: '<html></html>', headers: { 'content-type': 'text/html' } }],
  ['null', { body: 'null' }],
  ['an array', { body: [] }],
  ['broken JSON', { body: '{"access_token":' }],
  ['nothing', { body: '' }],
  ['an OAuth error', { status: 400, body: { error: 'invalid_grant', error_description: 'no' } }],
  ['an error with 200', { body: { error: 'bad_verification_code' } }],
  ['a megabyte too much', { padding: 1_100_000 }],
  ['no end', { endless: true }],
  ['a redirect', { redirect: 'http://169.254.169.254/latest' }],
  ['a redirect that repeats the post', { redirect: 'https://idp.test/token', status: 307 }],
  ['a broken connection', { throw: true }],
];

const answers: [string, (answer: Readonly<Record<string, unknown>>) => Record<string, unknown>][] = [
  ['no access token', (answer) => ({ ...answer, access_token: undefined })],
  ['a number as access token', (answer) => ({ ...answer, access_token: 7 })],
  ['an empty access token', (answer) => ({ ...answer, access_token: '' })],
  ['no token type', (answer) => ({ ...answer, token_type: undefined })],
  ['an unknown token type', (answer) => ({ ...answer, token_type: 'mac' })],
  ['nonsense as expires_in', (answer) => ({ ...answer, expires_in: 'soon' })],
  ['no ID token', (answer) => ({ ...answer, id_token: undefined })],
  ['an object as ID token', (answer) => ({ ...answer, id_token: {} })],
];

describe.each(oneDoor)('the token endpoint through $name', (door) => {
  it.each(faults)('that answers %s gives no session, and the next try works', async (_, fault) => {
    const { app, fake } = oidcScene(door);
    fake.faults.token = { ...fault, times: 1 };
    expectRefused(app, await app.signIn(fake), 'OAuthCallbackError');
    expect(app.log.types()).toEqual(['OAuthCallbackError']);
    expect(fake.requests.map(({ endpoint }) => endpoint)).toEqual(['discovery', 'token']);
    expect(startsSession(await app.signIn(fake))).toBe(true);
  });

  it('that refuses is quoted in the log: only its error and description, shortened', async () => {
    const { app, fake } = oidcScene(door);
    const words = { error: 'e'.repeat(300), error_description: 'd'.repeat(600) };
    fake.faults.token = { status: 403, body: { ...words, access_token: 'secret' } };
    await app.signIn(fake);
    const { cause } = app.log.errors[0] ?? {};
    expect(cause).toEqual({
      provider: 'fake',
      code: 'OAUTH_RESPONSE_BODY_ERROR',
      status: 403,
      error: 'e'.repeat(200),
      error_description: 'd'.repeat(500),
      err: expect.any(Error),
    });
    expect(cause?.err).not.toHaveProperty('cause');
    expect(cause?.err?.name).toBe('ResponseBodyError');
    expect(cause?.err?.stack).toMatch(/oauth4webapi/);
  });

  it('that gives no reason leaves none in the log', async () => {
    const { app, fake } = oidcScene(door);
    fake.faults.token = { body: [] };
    await app.signIn(fake);
    expect(Object.keys(app.log.errors[0]?.cause ?? {}).sort()).toEqual(['code', 'err', 'provider']);
  });

  it.each(answers)('that answers with %s gives no session', async (_, token) => {
    const { app, fake } = oidcScene(door);
    fake.overrides.token = token;
    expectRefused(app, await app.signIn(fake), 'OAuthCallbackError');
  });

  it('may be replaced by the application', async () => {
    const fake = fakeProvider({ oidc: false });
    const seen: unknown[] = [];
    const app = scene(door, {
      providers: [
        oauth(fake, {
          checks: ['pkce', 'state'],
          token: {
            async request({ params, checks, provider }) {
              seen.push({ params, checks, id: provider.id });
              const answer = await provider.fetch(fake.endpoints.token, {
                method: 'POST',
                headers: {
                  'content-type': 'application/x-www-form-urlencoded',
                  authorization: `Basic ${btoa(`${provider.clientId}:${provider.clientSecret}`)}`,
                },
                body: new URLSearchParams({
                  grant_type: 'authorization_code',
                  code: params.code ?? '',
                  redirect_uri: provider.callbackUrl,
                  code_verifier: checks.code_verifier ?? '',
                }).toString(),
              });
              return { tokens: await answer.json() };
            },
          },
        }),
      ],
    });
    expect(startsSession(await app.signIn(fake, { id: 'plain' }))).toBe(true);
    expect(seen).toEqual([
      {
        id: 'plain',
        params: expect.objectContaining({ code: expect.any(String) }),
        checks: { code_verifier: expect.any(String), state: expect.any(String), nonce: undefined },
      },
    ]);
  });

  it.each([undefined, null, {}, { tokens: null }, { tokens: {} }])(
    'replaced by the application gives no session if the replacement returns %j',
    async (result) => {
      const { app, fake } = oauthScene(door, { token: { request: () => result as never } });
      expectRefused(app, await app.signIn(fake, { id: 'plain' }), 'OAuthCallbackError');
      if (!result?.tokens) expect(app.log.errors[0]?.message).toMatch(/`token.request` must return `{ tokens }`/);
    },
  );

  it.each(['null', '"text"', '[]', '7', '{"access_token":', '<html>', ''])(
    'of a plain provider that answers %s is refused because of its answer',
    async (body) => {
      const { app, fake } = oauthScene(door);
      fake.faults.token = { body };
      expectRefused(app, await app.signIn(fake, { id: 'plain' }), 'OAuthCallbackError');
      expect(app.log.errors[0]?.cause?.['code']).toMatch(/^OAUTH_/);
    },
  );

  it('of a plain provider that refuses is quoted in the log: status, error, and challenge', async () => {
    const { app, fake } = oauthScene(door);
    fake.faults.token = { status: 403, body: { error: 'invalid_grant' }, times: 1 };
    await app.signIn(fake, { id: 'plain' });
    expect(app.log.errors[0]?.cause).toMatchObject({ status: 403, error: 'invalid_grant' });
    fake.faults.token = { status: 401, body: {}, headers: { 'www-authenticate': 'Bearer error="invalid_token"' } };
    await app.signIn(fake, { id: 'plain' });
    expect(app.log.errors[1]?.cause).toMatchObject({ status: 401, code: 'OAUTH_WWW_AUTHENTICATE_CHALLENGE' });
    const told = { error: 'invalid_grant', error_description: 'the code has expired' };
    fake.faults.token = { status: 400, body: told, headers: { 'www-authenticate': 'Basic realm="x"' }, times: 1 };
    await app.signIn(fake, { id: 'plain' });
    fake.faults.token = { status: 200, body: told };
    await app.signIn(fake, { id: 'plain' });
    expect(app.log.errors.slice(2).map(({ cause }) => cause)).toEqual([
      { ...told, provider: 'plain', status: 400 },
      { ...told, provider: 'plain', status: 200 },
    ]);
  });

  it('can be corrected by `conform`, which gets a copy', async () => {
    const fake = fakeProvider({ oidc: false });
    fake.overrides.token = (answer) => ({ ...answer, token_type: undefined, accessToken: 'x' });
    const app = scene(door, {
      providers: [
        oauth(fake, {
          token: {
            url: fake.endpoints.token,
            async conform(response) {
              return Response.json({ ...((await response.json()) as object), token_type: 'bearer' });
            },
          },
        }),
        oauth(fake, {
          id: 'keeps',
          token: { url: fake.endpoints.token, conform: async (response) => void (await response.text()) },
        }),
      ],
    });
    expect(startsSession(await app.signIn(fake, { id: 'plain' }))).toBe(true);
    delete fake.overrides.token;
    expect(startsSession(await app.signIn(fake, { id: 'keeps' }))).toBe(true);
  });

  it.each([
    ['not.a.token', 'not.a.token'],
    [7, undefined],
    [{}, undefined],
  ])(
    'of a plain provider without issuer may send any ID token, %j: a string is passed on, and never trusted',
    async (id_token, kept) => {
      const fake = fakeProvider({ oidc: false });
      fake.overrides.token = (answer) => ({ ...answer, id_token });
      const accounts: unknown[] = [];
      const app = scene(door, {
        providers: [oauth(fake)],
        events: { signIn: ({ account }) => void accounts.push(account?.id_token) },
      });
      expect(startsSession(await app.signIn(fake, { id: 'plain' }))).toBe(true);
      expect(accounts).toEqual([kept]);
      expect(await app.session()).toMatchObject({ user: { email: 'ada@example.com' } });
    },
  );

  it('gives the expiry of the access token in seconds, also if the answer has it as a string', async () => {
    const fake = fakeProvider();
    const accounts: Record<string, unknown>[] = [];
    const app = scene(door, {
      providers: [oidc(fake)],
      events: { signIn: ({ account }) => void accounts.push(account as Record<string, unknown>) },
    });
    const now = Math.floor(app.clock.now().getTime() / 1000);
    await app.signIn(fake);
    fake.overrides.token = (answer) => ({ ...answer, expires_in: '60' });
    await app.signIn(fake);
    fake.overrides.token = (answer) => ({ ...answer, expires_in: undefined });
    await app.signIn(fake);
    fake.overrides.token = (answer) => ({ ...answer, expires_in: 0 });
    await app.signIn(fake);
    expect(accounts.map(({ expires_at }) => expires_at)).toEqual([now + 3600, now + 60, undefined, undefined]);
  });

  it('passes the whole answer to callbacks; its members do not replace the identity', async () => {
    const fake = fakeProvider();
    fake.overrides.token = (answer) => ({
      ...answer,
      extra: 'kept',
      provider: 'other',
      providerAccountId: 'victim',
      type: 'email',
      userId: 'victim',
    });
    const seen: unknown[] = [];
    const app = scene(door, {
      providers: [oidc(fake)],
      callbacks: { signIn: ({ account }) => Boolean(seen.push(account)) },
    });
    await app.signIn(fake);
    expect(seen).toEqual([
      {
        access_token: expect.any(String),
        id_token: expect.any(String),
        refresh_token: expect.any(String),
        token_type: 'bearer',
        expires_in: 3600,
        expires_at: expect.any(Number),
        scope: 'openid profile email',
        extra: 'kept',
        provider: 'fake',
        providerAccountId: 'ada-1815',
        type: 'oidc',
      },
    ]);
  });
});
