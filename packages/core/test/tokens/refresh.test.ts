import { customFetch } from '@latchkey/core';
import { TokensUnavailable } from '@latchkey/core/errors';
import { tokensOf } from '@latchkey/core/tokens';
import type { VaultEntry } from '@latchkey/core/types';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { settingsFor } from '../../src/config/settings.ts';
import { openEntry, sealEntry, type Tokens } from '../../src/tokens/entry.ts';
import { makeScene, type Scene, type SceneOptions } from './scene.ts';

afterEach(() => {
  vi.useRealTimers();
});

async function signedIn(options?: SceneOptions): Promise<Scene> {
  const scene = makeScene(options);
  await scene.app.signIn();
  return scene;
}

/** A scene whose access token has expired. */
async function expired(options?: SceneOptions): Promise<Scene> {
  const scene = await signedIn(options);
  scene.later(3601);
  return scene;
}

async function tokensIn({ app }: Scene, entry: VaultEntry | undefined): Promise<Tokens | undefined> {
  return entry && (await openEntry(settingsFor(app.config), entry))?.tokens;
}

async function failure(work: Promise<unknown>): Promise<TokensUnavailable> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof TokensUnavailable) return error;
  throw error ?? new Error('expected a rejection');
}

/** The functions of a server that has not loaded the provider's metadata. */
function anotherServer({ app, provider }: Scene) {
  const ownFetch: typeof fetch = (input, init) => provider.fetch(input, init);
  return tokensOf({ ...app.config, providers: [{ ...provider.provider(), [customFetch]: ownFetch }] }, {});
}

/** Writes other tokens into the entry, as another process does. */
async function rewriteEntry(scene: Scene, members: Partial<Tokens>, config = scene.app.config): Promise<void> {
  const tokens = await tokensIn(scene, scene.entry);
  if (!tokens || !scene.entry) throw new Error('the entry does not open');
  const { version } = scene.entry;
  await scene.vault.write(await sealEntry(settingsFor(config), { ...tokens, ...members }, version), version);
}

function get(scene: Scene, options = {}) {
  return scene.jobs().get('fake', { userId: scene.userId, ...options });
}

describe('a sign-in', () => {
  it('stores sealed tokens', async () => {
    const scene = await signedIn();
    const text = JSON.stringify(scene.vault.dump());
    expect(scene.entry).toMatchObject({
      provider: 'fake',
      providerAccountId: 'ada-1815',
      userId: scene.userId,
      expires: null,
    });
    const tokens = await tokensIn(scene, scene.entry);
    expect(tokens).toMatchObject({ clientId: 'client', scopes: ['openid', 'profile', 'email'], subject: 'ada-1815' });
    for (const secret of [tokens?.accessToken, tokens?.refreshToken, tokens?.idToken]) {
      expect(secret).toMatch(/.{10}/);
      expect(text).not.toContain(secret);
    }
  });

  it('succeeds if the vault fails', async () => {
    const scene = makeScene();
    scene.vault.fail('write', { times: 9 });
    await scene.app.signIn();
    expect(await scene.app.session()).toMatchObject({ user: { email: 'ada@example.com' } });
    expect(scene.app.log.types()).toEqual(['TokensUnavailable']);
  });

  it('stores the tokens of a sign-in whose first write loses its answer', async () => {
    const scene = makeScene();
    scene.vault.fail('write', 'after');
    await scene.app.signIn();
    expect(scene.vault.dump()).toHaveLength(1);
  });
});

describe('get', () => {
  it('returns a fresh token with one call of the vault', async () => {
    const scene = await signedIn();
    const before = scene.vault.calls.length;
    const requests = scene.provider.requests.length;
    expect(await get(scene)).toEqual({
      accessToken: (await tokensIn(scene, scene.entry))?.accessToken,
      expiresAt: new Date(Math.floor(scene.clock.now().getTime() / 1000) * 1000 + 3600_000),
      scopes: ['openid', 'profile', 'email'],
      idToken: expect.stringMatching(/^ey/),
    });
    expect(scene.vault.calls.slice(before).map(({ step }) => step)).toEqual(['find']);
    expect(scene.provider.requests).toHaveLength(requests);
  });

  it('refreshes an expired token once for 200 calls', async () => {
    const scene = await expired();
    const before = scene.entry;
    const calls = scene.vault.calls.length;
    const tokens = await Promise.all(Array.from({ length: 200 }, () => get(scene)));
    expect(scene.refreshes()).toHaveLength(1);
    const steps = scene.vault.calls.slice(calls).map(({ step }) => step);
    expect(steps.filter((step) => step !== 'find')).toEqual(['lease', 'write']);
    expect(new Set(tokens.map(({ accessToken }) => accessToken)).size).toBe(1);
    expect(scene.entry?.version).toBe((before?.version ?? 0) + 1);
    expect(scene.app.events.filter(([name]) => name === 'tokensRefreshed')).toEqual([
      ['tokensRefreshed', { userId: scene.userId, provider: 'fake', providerAccountId: 'ada-1815' }],
    ]);
  });

  it('keeps the rotated refresh token', async () => {
    const scene = await expired();
    await get(scene);
    scene.later(3601);
    const { expiresAt } = await get(scene);
    expect(Number(expiresAt)).toBeGreaterThan(Date.now());
    expect(new Set(scene.refreshes().map((form) => form.get('refresh_token'))).size).toBe(2);
  });

  it('keeps the stored refresh token and scopes if the response lacks them', async () => {
    const scene = await expired();
    const before = await tokensIn(scene, scene.entry);
    scene.provider.misbehave({ token: { json: { refresh_token: undefined, scope: undefined, id_token: undefined } } });
    await get(scene);
    const after = await tokensIn(scene, scene.entry);
    expect(after).toMatchObject({
      refreshToken: before?.refreshToken,
      scopes: before?.scopes,
      idToken: before?.idToken,
    });
    expect(after?.accessToken).not.toBe(before?.accessToken);
  });

  it.each([
    ['0', 0],
    ['a text', 'soon'],
    ['missing', undefined],
    ['negative', -5],
  ])('accepts a response whose expires_in is %s', async (_, expires_in) => {
    const scene = await expired();
    scene.provider.misbehave({ token: { json: { expires_in } } });
    expect(await get(scene)).toMatchObject({ expiresAt: null });
    expect(await get(scene)).toMatchObject({ expiresAt: null });
    expect(scene.refreshes()).toHaveLength(1);
  });

  it('updates the token columns of the account', async () => {
    const scene = await expired();
    const { accessToken, expiresAt } = await get(scene);
    const [row] = scene.adapter.dump().accounts;
    expect(row).toMatchObject({ access_token: accessToken, expires_at: Math.floor(Number(expiresAt) / 1000) });
  });

  it("sets the token columns to null with accountColumns: 'clear'", async () => {
    const scene = await expired({ tokens: { accountColumns: 'clear' } });
    const none = { access_token: null, refresh_token: null, id_token: null, expires_at: null };
    expect(scene.adapter.dump().accounts).toMatchObject([none]);
    await get(scene);
    expect(scene.adapter.dump().accounts).toMatchObject([none]);
  });

  it('requires granted scopes', async () => {
    const scene = await signedIn();
    expect(await get(scene, { scopes: ['email'] })).toMatchObject({ accessToken: expect.any(String) });
    expect(await failure(get(scene, { scopes: ['calendar'] }))).toMatchObject({
      code: 'missing-scopes',
      remedy: 'sign-in',
      provider: 'fake',
      scopes: ['openid', 'profile', 'email', 'calendar'],
    });
  });

  it('refreshes a rejected token, at most once in 30 s', async () => {
    const scene = await signedIn();
    const { accessToken: rejected } = await get(scene);
    expect((await get(scene, { rejected })).accessToken).toBe(rejected);
    scene.later(30);
    const [one, two] = await Promise.all([get(scene, { rejected }), get(scene, { rejected })]);
    expect(one.accessToken).not.toBe(rejected);
    expect(two.accessToken).toBe(one.accessToken);
    expect((await get(scene, { rejected })).accessToken).toBe(one.accessToken);
    expect(scene.refreshes()).toHaveLength(1);
  });

  it.each([
    ['another user', { userId: 'eve' }],
    ['another account', { account: 'eve' }],
  ])('has no tokens for %s', async (_, options) => {
    expect(await failure(get(await signedIn(), options))).toMatchObject({ code: 'no-account', remedy: 'sign-in' });
  });

  it('does not give the account of another user', async () => {
    const scene = await signedIn();
    const stolen = scene.jobs().get('fake', { userId: 'eve', account: 'ada-1815' });
    expect(await failure(stolen)).toMatchObject({ code: 'no-account', provider: 'fake' });
  });

  it('names the option `offline` if there is no refresh token', async () => {
    const error = await failure(get(await expired({ provider: { refreshTokens: false } })));
    expect(error).toMatchObject({ code: 'no-refresh-token', remedy: 'sign-in' });
    expect(error.message).toContain('`offline: true`');
  });

  it('requires the account if the user has several', async () => {
    const scene = await signedIn();
    const tokens = await tokensIn(scene, scene.entry);
    if (tokens)
      await scene.vault.write(
        await sealEntry(settingsFor(scene.app.config), { ...tokens, account: 'two' }, null),
        null,
      );
    expect(await failure(get(scene))).toMatchObject({ code: 'several-accounts', remedy: 'fix' });
    expect(await get(scene, { account: 'two' })).toMatchObject({ accessToken: tokens?.accessToken });
  });

  it.each([
    ['copied to another user', { userId: 'eve' }],
    ['copied to another account', { providerAccountId: 'eve' }],
    ['changed', { sealed: 'changed' }],
  ])('does not open an entry that was %s', async (_, members) => {
    const scene = await signedIn();
    const copy = { ...scene.entry, ...members, version: 1 } as VaultEntry;
    await scene.vault.remove(scene.entry as VaultEntry);
    await scene.vault.write(copy, null);
    expect(await failure(get(scene, { userId: copy.userId }))).toMatchObject({ code: 'unreadable' });
    expect(scene.app.log.types()).toEqual(['TokensUnavailable']);
  });

  it('does not use the tokens of another client id', async () => {
    const scene = await signedIn();
    const config = { ...scene.app.config, providers: [{ ...scene.provider.provider(), clientId: 'other' }] };
    const call = tokensOf(config, {}).get('fake', { userId: scene.userId });
    expect(await failure(call)).toMatchObject({ code: 'unreadable' });
  });

  it('reads entries under all secrets, and seals with the newest', async () => {
    const scene = await expired();
    const before = scene.app.config.secret as string;
    const config = { ...scene.app.config, secret: ['another-secret-of-more-than-32-characters', before] };
    await tokensOf(config, {}).get('fake', { userId: scene.userId });
    expect(await failure(get(scene))).toMatchObject({ code: 'unreadable' });
  });
});

describe('a refresh that fails', () => {
  it('marks the entry as refused, once, and reports it', async () => {
    const scene = await expired();
    scene.provider.misbehave({ token: { status: 400, body: '{"error":"invalid_grant"}' } });
    const errors = await Promise.all([failure(get(scene)), failure(get(scene))]);
    expect(errors.map(({ code }) => code)).toEqual(['revoked', 'revoked']);
    expect(await failure(get(scene))).toMatchObject({ code: 'revoked', remedy: 'sign-in' });
    expect(scene.refreshes()).toHaveLength(1);
    expect(scene.app.events.filter(([name]) => name === 'tokensLost')).toEqual([
      ['tokensLost', { userId: scene.userId, provider: 'fake', providerAccountId: 'ada-1815', code: 'revoked' }],
    ]);
    expect(await scene.jobs().list({ userId: scene.userId })).toMatchObject([{ state: 'refused' }]);
    scene.provider.behave();
    await scene.app.signIn();
    expect(await scene.jobs().list({ userId: scene.userId })).toMatchObject([{ state: 'active' }]);
  });

  it.each([
    ['500', { status: 500 }],
    ['429', { status: 429, headers: { 'retry-after': '120' } }],
    ['a lost connection', { throw: true }],
    ['a body without end', { endless: true }],
  ] as const)('waits after %s', async (kind, fault) => {
    const scene = await expired();
    scene.provider.misbehave({ token: fault });
    const retryAfter = kind === '429' ? 120 : 5;
    expect(await failure(get(scene))).toMatchObject({ code: 'provider-unavailable', remedy: 'retry', retryAfter });
    expect(await failure(get(scene))).toMatchObject({ code: 'provider-unavailable' });
    expect(scene.refreshes()).toHaveLength(1);
    scene.later(retryAfter);
    expect(await failure(get(scene))).toMatchObject({ retryAfter: kind === '429' ? 120 : 10 });
    expect(scene.refreshes()).toHaveLength(2);
  });

  it('ends its wait with the first success', async () => {
    const scene = await expired();
    scene.provider.misbehave({ token: { throw: true, times: 1 } });
    await failure(get(scene));
    scene.later(5);
    expect(await get(scene)).toMatchObject({ accessToken: expect.any(String) });
    scene.later(3601);
    scene.provider.misbehave({ token: { throw: true, times: 1 } });
    expect(await failure(get(scene))).toMatchObject({ retryAfter: 5 });
  });

  it('waits while the metadata of the provider cannot be loaded, and takes no lease', async () => {
    const scene = await expired();
    const requests = (): number => scene.provider.requests.filter(({ endpoint }) => endpoint === 'discovery').length;
    const jobs = anotherServer(scene);
    scene.provider.misbehave({ discovery: { throw: true } });
    const before = requests();
    for (let count = 0; count < 2; count++) {
      const error = await failure(jobs.get('fake', { userId: scene.userId }));
      expect(error).toMatchObject({ code: 'provider-unavailable', retryAfter: 5 });
    }
    expect(requests()).toBe(before + 1);
    expect(scene.vault.calls.filter(({ step }) => step === 'lease')).toEqual([]);
    expect(scene.app.log.errors).toMatchObject([
      { code: 'provider-unavailable', provider: 'fake', retryAfter: 5, cause: { err: expect.any(Error) } },
    ]);
  });

  it('returns the old token until it expires', async () => {
    const scene = await signedIn();
    scene.later(3550);
    scene.provider.misbehave({ token: { status: 500 } });
    expect(await get(scene)).toMatchObject({ accessToken: (await tokensIn(scene, scene.entry))?.accessToken });
    expect(scene.refreshes()).toHaveLength(1);
    scene.later(60);
    expect(await failure(get(scene))).toMatchObject({ code: 'provider-unavailable' });
  });

  it.each([
    ['another OAuth error', { token: { status: 401, body: '{"error":"invalid_client"}' } }],
    ['a page', { token: { body: '<h1>hello</h1>' } }],
    ['another user', { idToken: { claims: { sub: 'eve' } } }],
    ['another issuer', { idToken: { claims: { iss: 'https://evil.test' } } }],
    ['another audience', { idToken: { claims: { aud: 'other' } } }],
    ['a wrong signature', { idToken: { sign: 'wrong-key' } }],
    ['a token of another type', { token: { json: { token_type: 'mac' } } }],
  ] as const)('refuses %s', async (_, misbehavior) => {
    const scene = await expired();
    const before = scene.entry;
    scene.provider.misbehave(misbehavior as object);
    expect(await failure(get(scene))).toMatchObject({ code: 'provider-refused', remedy: 'fix' });
    expect(scene.entry).toEqual(before);
    expect(scene.app.log.errors).toMatchObject([{ code: 'provider-refused', provider: 'fake', retryAfter: 5 }]);
    expect([...scene.vault.rows.values()][0]?.lease).toBeUndefined();
  });

  it('gives the new tokens if the vault fails after the call, and writes them later', async () => {
    const scene = await expired();
    scene.vault.fail('write', { times: Number.POSITIVE_INFINITY });
    const before = scene.entry?.version ?? 0;
    vi.useRealTimers();
    vi.useFakeTimers({ toFake: ['Date'], now: scene.clock.now(), shouldAdvanceTime: true });
    const { accessToken } = await get(scene);
    expect(scene.refreshes()).toHaveLength(1);
    expect(scene.entry?.version).toBe(before);
    expect(scene.app.log.errors.at(-1)).toMatchObject({
      code: 'store-unavailable',
      provider: 'fake',
      message: expect.stringContaining('refreshed tokens could not be stored. They are kept for 60 seconds'),
    });
    expect((await get(scene)).accessToken).toBe(accessToken);
    scene.vault.recover();
    expect((await get(scene)).accessToken).toBe(accessToken);
    expect(scene.entry?.version).toBe(before + 1);
    expect(scene.refreshes()).toHaveLength(1);
    expect(scene.app.events.filter(([name]) => name === 'tokensRefreshed')).toHaveLength(1);
    expect(scene.adapter.dump().accounts).toMatchObject([{ access_token: accessToken }]);
  });

  it('repeats a write that fails, without a word in the log', async () => {
    const scene = await expired();
    const before = scene.entry?.version ?? 0;
    scene.vault.fail('write', { times: 2 });
    const { accessToken } = await get(scene);
    expect((await tokensIn(scene, scene.entry))?.accessToken).toBe(accessToken);
    expect(scene.entry?.version).toBe(before + 1);
    expect(scene.app.log.types()).toEqual([]);
  });

  /** A refresh after which the new tokens could not be stored. */
  async function unstored(options?: SceneOptions) {
    const scene = await expired(options);
    vi.useRealTimers();
    vi.useFakeTimers({ toFake: ['Date'], now: scene.clock.now(), shouldAdvanceTime: true });
    const write = vi.spyOn(scene.vault, 'write').mockResolvedValue(false);
    const { accessToken } = await get(scene);
    write.mockRestore();
    return { scene, accessToken };
  }

  it('gives the new tokens if the vault does not replace the version that it has', async () => {
    const { scene, accessToken } = await unstored();
    const [error] = scene.app.log.errors;
    expect(String(Reflect.get(error?.cause ?? {}, 'err'))).toContain('refuses to replace the version that it has');
    expect((await get(scene)).accessToken).toBe(accessToken);
    expect((await tokensIn(scene, scene.entry))?.accessToken).toBe(accessToken);
    expect(scene.refreshes()).toHaveLength(1);
  });

  it('does not write tokens later that another process has replaced', async () => {
    const { scene } = await unstored();
    await rewriteEntry(scene, { accessToken: 'of another', issuedAt: Date.now(), expiresAt: Date.now() + 3600_000 });
    expect(await get(scene)).toMatchObject({ accessToken: 'of another' });
    expect(await tokensIn(scene, scene.entry)).toMatchObject({ accessToken: 'of another' });
  });

  it('gives the new tokens if the KMS cannot seal them', async () => {
    let isDown = false;
    const wrap = (key: Uint8Array): string => {
      if (isDown) throw new Error('down');
      return Buffer.from(key).toString('hex');
    };
    const unwrap = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'hex'));
    const scene = await expired({ tokens: { kms: { wrap, unwrap } } });
    vi.useRealTimers();
    vi.useFakeTimers({ toFake: ['Date'], now: scene.clock.now(), shouldAdvanceTime: true });
    isDown = true;
    const { accessToken } = await get(scene);
    const [error] = scene.app.log.errors;
    expect(String(Reflect.get(error?.cause ?? {}, 'err'))).toContain('the tokens could not be sealed');
    isDown = false;
    expect((await get(scene)).accessToken).toBe(accessToken);
    expect((await tokensIn(scene, scene.entry))?.accessToken).toBe(accessToken);
  });

  it('recognizes a write whose answer was lost', async () => {
    const scene = await expired();
    scene.vault.fail('write', 'after');
    const { accessToken } = await get(scene);
    expect((await tokensIn(scene, scene.entry))?.accessToken).toBe(accessToken);
    expect(scene.refreshes()).toHaveLength(1);
  });

  it.each(['find', 'lease'] as const)('sends no request if the vault fails in %s', async (step) => {
    const scene = await expired();
    scene.vault.fail(step);
    expect(await failure(get(scene))).toMatchObject({ code: 'store-unavailable', remedy: 'retry' });
    expect(scene.refreshes()).toHaveLength(0);
    expect(await get(scene)).toMatchObject({ accessToken: expect.any(String) });
  });
});

describe('a refresh while the entry changes', () => {
  /** Does something while the provider answers. */
  async function during(scene: Scene, work: () => Promise<unknown>) {
    scene.provider.misbehave({ token: { delay: 1500, times: 1 } });
    const token = get(scene).catch((error: unknown) => error);
    await vi.waitFor(() => expect(scene.refreshes()).toHaveLength(1));
    await work();
    return token;
  }

  it('uses the tokens of a sign-in', async () => {
    const scene = await expired();
    let issued: string | undefined;
    const token = await during(scene, async () => {
      await scene.app.signIn({ browser: scene.app.visitor() });
      issued = (await tokensIn(scene, scene.entry))?.accessToken;
    });
    expect(token).toMatchObject({ accessToken: issued });
    expect((await tokensIn(scene, scene.entry))?.accessToken).toBe(issued);
    expect(scene.refreshes()).toHaveLength(1);
    expect(scene.vault.dump()).toHaveLength(1);
  });

  it('does not bring a removed entry back, and revokes the new tokens', async () => {
    const revoked: string[] = [];
    const entry = { revocation: ({ token }: { token: string }) => void revoked.push(token) };
    const scene = await expired({ entry });
    const token = await during(scene, () => scene.vault.remove(scene.entry as VaultEntry));
    expect(token).toMatchObject({ code: 'no-account' });
    expect(scene.vault.dump()).toEqual([]);
    expect(revoked).toHaveLength(1);
  });

  it.each([
    ['', {}],
    [' after a refresh of its own', { refreshToken: 'another' }],
  ])('writes over an entry that another process has marked as refused%s', async (_, members) => {
    const scene = await expired();
    const token = await during(scene, () => rewriteEntry(scene, { ...members, isRefused: true }));
    expect(token).toMatchObject({ accessToken: (await tokensIn(scene, scene.entry))?.accessToken });
    expect((await tokensIn(scene, scene.entry))?.isRefused).toBe(false);
  });

  it('does not write over an entry that it cannot open', async () => {
    const scene = await expired();
    const other = { ...scene.app.config, secret: 'another-secret-of-more-than-32-characters' };
    const token = await during(scene, () => rewriteEntry(scene, {}, other));
    expect(token).toMatchObject({ code: 'unreadable' });
    expect(scene.app.log.errors).toMatchObject([{ code: 'unreadable' }]);
  });

  it('uses the tokens of a sign-in if the provider refuses the older refresh token', async () => {
    const scene = await expired();
    const refused = { status: 400, body: '{"error":"invalid_grant"}' };
    scene.provider.misbehave({ token: { ...refused, delay: 300, times: 1 } });
    const token = get(scene);
    await vi.waitFor(() => expect(scene.refreshes()).toHaveLength(1));
    await rewriteEntry(scene, {
      accessToken: 'of a sign-in',
      refreshToken: 'another',
      expiresAt: Date.now() + 3600_000,
    });
    expect(await token).toMatchObject({ accessToken: 'of a sign-in' });
    expect(await scene.jobs().list({ userId: scene.userId })).toMatchObject([{ state: 'active' }]);
    expect(scene.app.events.filter(([name]) => name === 'tokensLost')).toEqual([]);
  });

  it('uses the tokens that another process writes shortly after the refusal', async () => {
    const scene = await expired();
    scene.provider.misbehave({ token: { status: 400, body: '{"error":"invalid_grant"}', times: 1 } });
    const token = get(scene);
    await vi.waitFor(() => expect(scene.vault.calls.at(-1)?.step).toBe('read'));
    await rewriteEntry(scene, { accessToken: 'of another', refreshToken: 'next', expiresAt: Date.now() + 3600_000 });
    expect(await token).toMatchObject({ accessToken: 'of another' });
    expect(scene.app.events.filter(([name]) => name === 'tokensLost')).toEqual([]);
  });

  it('does not give its tokens to the user to whom the account moves meanwhile', async () => {
    let moved: Promise<unknown> | undefined;
    const tokensRefreshed = async (): Promise<void> => {
      if (moved) return;
      await rewriteEntry(scene, { userId: 'eve', expiresAt: Date.now() - 1 });
      moved = failure(get(scene, { userId: 'eve' }));
      await new Promise((resolve) => setTimeout(resolve, 100));
    };
    const scene = await expired({ config: { events: { tokensRefreshed } } });
    expect(await get(scene)).toMatchObject({ accessToken: expect.any(String) });
    expect(await moved).toMatchObject({ code: 'no-account', provider: 'fake' });
  });

  it('uses the tokens of another process without a request or a pause', async () => {
    const scene = await expired();
    vi.spyOn(scene.vault, 'lease').mockImplementationOnce(async () => {
      const now = Date.now();
      await rewriteEntry(scene, { accessToken: 'of another', issuedAt: now - 30_000, expiresAt: now + 3600_000 });
      return false;
    });
    expect(await get(scene)).toMatchObject({ accessToken: 'of another' });
    expect(scene.refreshes()).toHaveLength(0);
    expect(await get(scene, { rejected: 'of another' })).toMatchObject({
      accessToken: expect.not.stringMatching('of'),
    });
    expect(scene.app.log.types()).toEqual([]);
  });

  it('keeps the new refresh token if `rewrite` has written the old one again', async () => {
    const scene = await expired();
    const before = (await tokensIn(scene, scene.entry))?.refreshToken;
    const token = await during(scene, () => scene.jobs().rewrite());
    const stored = await tokensIn(scene, scene.entry);
    expect(token).toMatchObject({ accessToken: stored?.accessToken });
    expect(stored?.refreshToken).not.toBe(before);
    expect(scene.refreshes()).toHaveLength(1);
  });

  it('uses the tokens in the `accounts` row if Auth.js has stored newer ones', async () => {
    const scene = await expired();
    const [row] = scene.adapter.dump().accounts;
    const expires_at = Math.floor(Date.now() / 1000) + 3600;
    if (row)
      await scene.adapter.updateAccount?.({ ...row, access_token: 'of Auth.js', refresh_token: 'next', expires_at });
    expect(await get(scene)).toMatchObject({ accessToken: 'of Auth.js' });
    expect(scene.refreshes()).toHaveLength(0);
    expect(await tokensIn(scene, scene.entry)).toMatchObject({ refreshToken: 'next' });
  });
});

describe('the rows of `accounts`', () => {
  it('are taken over by the first call', async () => {
    const scene = await signedIn();
    const before = await tokensIn(scene, scene.entry);
    await scene.vault.remove(scene.entry as VaultEntry);
    expect((await get(scene)).accessToken).toBe(before?.accessToken);
    expect(scene.vault.dump()).toHaveLength(1);
    expect(await tokensIn(scene, scene.entry)).toEqual({ ...before, issuedAt: 0 });
  });

  it('are asked again if the adapter fails, and a refresh does not need them', async () => {
    const scene = await signedIn();
    await scene.vault.remove(scene.entry as VaultEntry);
    scene.adapter.fail('listAccountsByUserId');
    expect(await failure(get(scene))).toMatchObject({
      code: 'store-unavailable',
      remedy: 'retry',
      message: expect.stringContaining('could not be taken over'),
    });
    expect(await get(scene)).toMatchObject({ accessToken: expect.any(String) });
    scene.later(3601);
    scene.adapter.fail('getAccount');
    scene.adapter.fail('updateAccount');
    expect(await get(scene)).toMatchObject({ accessToken: expect.any(String) });
    expect(scene.app.log.types()).toEqual(['TokensUnavailable', 'AdapterError', 'AdapterError']);
    expect(scene.app.log.errors.at(-1)).toMatchObject({
      message: expect.stringContaining('the token columns of an account could not be written'),
      cause: { provider: 'fake', err: expect.any(Error) },
    });
  });

  it('are imported by a job, and replace no entry', async () => {
    const scene = await signedIn();
    const [row] = scene.adapter.dump().accounts;
    if (!row) throw new Error('no row');
    expect(await scene.jobs().import({ ...row, userId: scene.userId })).toBe(false);
    await scene.vault.remove(scene.entry as VaultEntry);
    expect(await scene.jobs().import({ ...row, userId: scene.userId })).toBe(true);
    expect(await scene.jobs().list({ userId: scene.userId })).toMatchObject([{ state: 'active' }]);
  });

  it('are written again by `rewrite`, under the newest secret', async () => {
    const scene = await signedIn();
    const old = scene.app.config.secret as string;
    const next = 'another-secret-of-more-than-32-characters';
    const config = { ...scene.app.config, secret: [next, old] };
    expect(await tokensOf(config, {}).rewrite()).toEqual({ written: 1, unreadable: 0 });
    const alone = { ...scene.app.config, secret: next };
    expect(await tokensOf(alone, {}).get('fake', { userId: scene.userId })).toMatchObject({
      scopes: expect.any(Array),
    });
    expect(await scene.jobs().rewrite()).toEqual({ written: 0, unreadable: 1 });
  });

  it('are written again also if their provider is not configured any more', async () => {
    const scene = await signedIn();
    const before = scene.entry?.version ?? 0;
    expect(await tokensOf({ ...scene.app.config, providers: [] }, {}).rewrite()).toEqual({ written: 1, unreadable: 0 });
    expect(scene.entry?.version).toBe(before + 1);
  });
});

describe('a key management service', () => {
  it('encrypts a key for each entry; entries without it stay readable', async () => {
    const keys = new Map<string, Uint8Array>();
    const kms = {
      wrap: vi.fn((key: Uint8Array) => {
        const name = `key ${keys.size}`;
        keys.set(name, Uint8Array.from(key));
        return name;
      }),
      unwrap: vi.fn((name: string) => keys.get(name) ?? new Uint8Array()),
    };
    const plain = await signedIn();
    const tokens = { store: plain.vault, kms };
    const jobs = () => tokensOf({ ...plain.app.config, tokens: { ...tokens } }, {});
    expect(await jobs().get('fake', { userId: plain.userId })).toMatchObject({ accessToken: expect.any(String) });
    plain.later(3601);
    const { accessToken } = await jobs().get('fake', { userId: plain.userId });
    expect(plain.entry?.sealed).toMatch(/^kms\./);
    expect((await jobs().get('fake', { userId: plain.userId })).accessToken).toBe(accessToken);
    const owner = { provider: 'fake', account: 'ada-1815', userId: plain.userId };
    expect(kms.wrap).toHaveBeenCalledExactlyOnceWith(expect.any(Uint8Array), owner);
    expect(await failure(get(plain))).toMatchObject({ code: 'unreadable' });
    kms.unwrap.mockImplementation(() => {
      throw new Error('down');
    });
    const other = { ...plain.app.config, tokens: { store: plain.vault, kms: { ...kms } } };
    expect(await failure(tokensOf(other, {}).get('fake', { userId: plain.userId }))).toMatchObject({
      code: 'store-unavailable',
      message: expect.stringContaining('the key of the tokens could not be decrypted'),
    });
    expect(plain.app.log.errors.at(-1)).toMatchObject({ code: 'store-unavailable', provider: 'fake' });
  });
});
