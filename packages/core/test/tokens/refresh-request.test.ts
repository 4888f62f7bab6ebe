import type { TokensUnavailable } from '@latchkey/core/errors';
import type { ImportedAccount } from '@latchkey/core/tokens';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { makeScene, type Scene, type SceneOptions } from './scene.ts';

afterEach(() => {
  vi.useRealTimers();
});

/** A scene whose access token has expired. */
async function expired(options?: SceneOptions): Promise<Scene> {
  const scene = makeScene(options);
  await scene.app.signIn();
  scene.later(3601);
  return scene;
}

function get(scene: Scene) {
  return scene.jobs().get('fake', { userId: scene.userId });
}

async function failure(work: Promise<unknown>): Promise<TokensUnavailable | undefined> {
  return work.then(
    () => undefined,
    (error) => error,
  );
}

/** The cause of the first error in the log, as one text. */
function loggedReason({ app }: Scene): string {
  return String(Reflect.get(app.log.errors[0]?.cause ?? {}, 'err'));
}

/** A token response that `refresh.request` returns. */
const tokens = { access_token: 'new', expires_in: 3600 };

describe('the refresh request', () => {
  it('has the headers of the provider, and its answer is read as the provider says', async () => {
    const conform = async (answer: Response) => {
      const { wrapped, ...plain } = (await answer.json()) as { wrapped?: object };
      return wrapped ? Response.json(wrapped) : Response.json(plain);
    };
    const scene = await expired({ entry: { token: { headers: { 'x-version': '7' }, conform } } });
    scene.provider.misbehave({ token: { json: (right) => ({ wrapped: { ...right, access_token: 'unwrapped' } }) } });
    expect(await get(scene)).toMatchObject({ accessToken: 'unwrapped' });
    expect(scene.provider.requestsTo('token').map(({ headers }) => headers.get('x-version'))).toEqual(['7', '7']);
  });

  it('can be made by the provider, which gets the refresh token and the scopes', async () => {
    const request = vi.fn(async () => ({ tokens }));
    const scene = await expired({ entry: { refresh: { request } } });
    expect(await get(scene)).toMatchObject({ accessToken: 'new' });
    expect(request).toHaveBeenCalledExactlyOnceWith({
      refreshToken: expect.stringMatching(/.{10}/),
      scopes: ['openid', 'profile', 'email'],
      provider: expect.objectContaining({ id: 'fake' }),
    });
    expect(scene.refreshes()).toEqual([]);
  });

  it('has failed if the function of the provider throws', async () => {
    const request = () => Promise.reject(new Error('down'));
    const scene = await expired({ entry: { refresh: { request } } });
    expect(await failure(get(scene))).toMatchObject({ code: 'provider-unavailable', retryAfter: 5 });
    expect(loggedReason(scene)).toBe('Error: down');
  });

  it('needs a token endpoint', async () => {
    const scene = await expired();
    scene.app.config.providers = [{ ...scene.provider.plainProvider(), token: { request: async () => ({ tokens }) } }];
    expect(await failure(get(scene))).toMatchObject({ code: 'provider-refused', remedy: 'fix' });
    expect(loggedReason(scene)).toContain('has no token endpoint. Set `token`, or `refresh.request`');
  });

  it('has the client authentication of the provider: a missing secret is an error of the configuration', async () => {
    const scene = await expired();
    scene.app.config.providers = [{ ...scene.provider.provider(), clientSecret: '' }];
    expect(await failure(get(scene))).toMatchObject({ code: 'provider-refused' });
    expect(scene.refreshes()).toEqual([]);
  });
});

describe('the answer to a refresh request', () => {
  it.each([
    ['invalid_grant', 'revoked'],
    ['bad_refresh_token', 'revoked'],
    ['invalid_refresh_token', 'revoked'],
    ['invalid_client', 'provider-refused'],
  ])('with the error %s: %s', async (error, code) => {
    const scene = await expired();
    scene.provider.misbehave({ token: { status: 400, body: { error } } });
    expect(await failure(get(scene))).toMatchObject({ code });
  });

  it('is in the log if it is an error, with texts of a bounded length', async () => {
    const scene = await expired();
    const body = { error: `e${'x'.repeat(300)}`, error_description: `d${'y'.repeat(600)}` };
    scene.provider.misbehave({ token: { status: 418, body } });
    await failure(get(scene));
    const error = body.error.slice(0, 200);
    expect(scene.app.log.errors).toMatchObject([
      { cause: { status: 418, error, error_description: body.error_description.slice(0, 500) } },
    ]);
    expect(loggedReason(scene)).toBe(`Error: the token endpoint answered 418 "${error}"`);
  });

  it('may describe its error with a value that is not a text', async () => {
    const scene = await expired();
    scene.provider.misbehave({ token: { status: 400, body: { error: 'invalid_client', error_description: 7 } } });
    await failure(get(scene));
    expect(scene.app.log.errors[0]?.cause).not.toHaveProperty('error_description');
  });

  it.each([429, 500, 503])('is in the log with its status if the provider has failed: %i', async (status) => {
    const scene = await expired();
    scene.provider.misbehave({ token: { status } });
    expect(await failure(get(scene))).toMatchObject({ code: 'provider-unavailable' });
    expect(scene.app.log.errors).toMatchObject([{ cause: { status } }]);
    expect(loggedReason(scene)).toBe(`Error: the token endpoint answered ${status}`);
  });

  it('is refused with tokens and the status of an error', async () => {
    const scene = await expired();
    scene.provider.misbehave({ token: { status: 400 } });
    expect(await failure(get(scene))).toMatchObject({ code: 'provider-refused' });
  });

  it('is refused with neither a token nor an error', async () => {
    const scene = await expired();
    scene.provider.misbehave({ token: { json: { access_token: undefined } } });
    expect(await failure(get(scene))).toMatchObject({ code: 'provider-refused' });
    expect(loggedReason(scene)).toContain('access_token');
  });

  it('counts as a success if it has a token beside an error', async () => {
    const scene = await expired();
    scene.provider.misbehave({ token: { json: { error: 'deprecated', access_token: 'new' } } });
    expect(await get(scene)).toMatchObject({ accessToken: 'new' });
  });

  it.each([400, 499])('is an error of the provider with the status %i, also without a body', async (status) => {
    const scene = await expired();
    scene.provider.misbehave({ token: { status, body: '' } });
    expect(await failure(get(scene))).toMatchObject({ code: 'provider-refused' });
  });

  it.each([
    ['10 seconds', '10', 10],
    ['a date', new Date(Date.now() + 86_400_000).toUTCString(), 300],
    ['a date in the past', 'Thu, 01 Jan 1970 00:00:00 GMT', 5],
    ['0 seconds', '0', 5],
    ['less than the back-off', '3', 5],
    ['a text', 'later 10', 5],
    ['a text that begins with a number', '10 s', 5],
  ])('can ask to wait: %s', async (_, header, retryAfter) => {
    const scene = await expired();
    scene.provider.misbehave({ token: { status: 503, headers: { 'retry-after': header } } });
    expect(await failure(get(scene))).toMatchObject({ retryAfter });
  });

  it('can ask to wait until a date, which is rounded up to seconds', async () => {
    const scene = await expired();
    const date = new Date(Math.ceil(Date.now() / 1000) * 1000 + 20_000);
    scene.provider.misbehave({ token: { status: 503, headers: { 'retry-after': date.toUTCString() } } });
    const retryAfter = Math.ceil((date.getTime() - Date.now()) / 1000);
    expect(await failure(get(scene))).toMatchObject({ retryAfter });
  });

  it('with an access token that a header cannot have is refused', async () => {
    const scene = await expired();
    scene.provider.misbehave({ token: { json: { access_token: 'two\nlines' } } });
    expect(await failure(get(scene))).toMatchObject({ code: 'provider-refused' });
  });

  it.each([
    ['a text', '120', 120],
    ['a text that is infinite', 'Infinity', undefined],
    ['a text that is no number', 'soon', undefined],
    ['0', 0, undefined],
    ['a negative number', -5, undefined],
    ['nothing', undefined, undefined],
  ])('may have %s as expires_in', async (_, expires_in, seconds) => {
    const scene = await expired();
    scene.provider.misbehave({ token: { json: { expires_in } } });
    const expiresAt = seconds === undefined ? null : new Date(Date.now() + seconds * 1000);
    expect(await get(scene)).toMatchObject({ expiresAt });
    expect(await get(scene)).toMatchObject({ expiresAt });
    expect(scene.refreshes()).toHaveLength(1);
  });
});

describe('the ID token of a refresh', () => {
  /** The ID token after a refresh, and the one before it. */
  async function refreshed(scene: Scene): Promise<{ before: string | undefined; after: string | undefined }> {
    await scene.app.signIn();
    const { idToken: before } = await get(scene);
    scene.later(3601);
    const { idToken: after } = await get(scene);
    return { before, after };
  }

  it('replaces the stored one', async () => {
    const { before, after } = await refreshed(makeScene());
    expect(after).toMatch(/^ey/);
    expect(after).not.toBe(before);
  });

  it.each([
    ['an error', { status: 500 }],
    ['a lost connection', { throw: true }],
  ] as const)('is dropped while the keys of the provider cannot be loaded: %s', async (_, jwks) => {
    const scene = makeScene();
    await scene.app.signIn();
    const { idToken } = await get(scene);
    scene.later(90_000);
    scene.provider.misbehave({ jwks });
    expect(await get(scene)).toMatchObject({ accessToken: expect.any(String), idToken });
  });

  it('is trusted because of TLS if the provider publishes no keys', async () => {
    const scene = makeScene();
    scene.provider.misbehave({ discovery: { json: { jwks_uri: undefined } }, idToken: { sign: 'wrong-key' } });
    const { before, after } = await refreshed(scene);
    expect(after).toMatch(/^ey/);
    expect(after).not.toBe(before);
  });

  it('can be signed with the secret of the client', async () => {
    const { before, after } = await refreshed(makeScene({ provider: { signingAlgorithm: 'HS256' } }));
    expect(after).not.toBe(before);
  });

  it('that another secret has signed is refused', async () => {
    const scene = await expired({ provider: { signingAlgorithm: 'HS256' } });
    const changed = (token: string) => `${token.slice(0, token.lastIndexOf('.'))}.c2lnbmF0dXJl`;
    scene.provider.misbehave({ idToken: { token: changed } });
    expect(await failure(get(scene))).toMatchObject({ code: 'provider-refused' });
    expect(loggedReason(scene)).toBe('Error: the signature of the ID token is wrong');
  });

  it('that names another user is refused, and the log says so', async () => {
    const scene = await expired();
    scene.provider.misbehave({ idToken: { claims: { sub: 'eve' } } });
    await failure(get(scene));
    expect(loggedReason(scene)).toBe('Error: the ID token of the refresh names another user');
  });

  it.each(['embedded-key', 'unlisted-algorithm', 'none'] as const)('that is signed by %s is refused', async (sign) => {
    const scene = await expired();
    scene.provider.misbehave({ idToken: { sign } });
    expect(await failure(get(scene))).toMatchObject({ code: 'provider-refused' });
  });

  it('without a signature is refused, also if the metadata allow it', async () => {
    const scene = makeScene();
    const id_token_signing_alg_values_supported = ['ES256', 'none'];
    scene.provider.misbehave({ discovery: { json: { id_token_signing_alg_values_supported } } });
    await scene.app.signIn();
    scene.later(3601);
    scene.provider.misbehave({ idToken: { sign: 'none' } });
    expect(await failure(get(scene))).toMatchObject({ code: 'provider-refused' });
  });

  it('may name any user if the stored tokens name none', async () => {
    const scene = await expired();
    const { userId } = scene;
    await scene.vault.remove({ provider: 'fake', providerAccountId: 'ada-1815' });
    const [row] = scene.adapter.dump().accounts;
    expect(await scene.jobs().import({ ...row, userId, id_token: undefined } as ImportedAccount)).toBe(true);
    expect(await get(scene)).toMatchObject({ accessToken: expect.any(String) });
    expect(scene.refreshes()).toHaveLength(1);
  });

  it('of a key that the provider does not publish is refused', async () => {
    const scene = await expired();
    scene.provider.misbehave({ idToken: { header: { kid: 'unknown' } } as object });
    expect(await failure(get(scene))).toMatchObject({ code: 'provider-refused' });
  });

  it('of a provider without OpenID Connect is passed on unread', async () => {
    const scene = makeScene({ provider: { oidc: false } });
    scene.app.config.providers = [scene.provider.plainProvider()];
    const idToken = (id_token: string) => scene.provider.misbehave({ token: { json: { id_token } } });
    idToken('first');
    await scene.app.signIn();
    scene.later(3601);
    idToken('second');
    expect(await get(scene)).toMatchObject({ idToken: 'second' });
  });

  it('names the issuer of the tenant', async () => {
    const tenantIssuer = 'https://idp.test/tenant';
    const entry = { tokenIssuer: (_: string, { tid }: { tid?: string }) => `https://idp.test/${tid}` };
    const scene = makeScene({ entry, provider: { issParameter: false } });
    const claims = { iss: tenantIssuer, tid: 'tenant' };
    scene.provider.misbehave({ idToken: { claims } });
    const { before, after } = await refreshed(scene);
    expect(after).not.toBe(before);
  });
});
