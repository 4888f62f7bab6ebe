import { TokensUnavailable } from '@latchkey/core/errors';
import { tokensOf } from '@latchkey/core/tokens';
import type { TokenVault, VaultEntry } from '@latchkey/core/types';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { settingsFor } from '../../src/config/settings.ts';
import { open, seal } from '../../src/crypto/seal.ts';
import { TOKENS_SALT } from '../../src/tokens/entry.ts';
import { get, makeScene, type Scene, signedIn, unavailable } from './scene.ts';

afterEach(() => {
  vi.useRealTimers();
});

const DAY = 86_400_000;

/** Puts an entry in the place of the stored one. */
async function replaceEntry(scene: Scene, sealed: string): Promise<void> {
  const { entry } = scene;
  if (!entry) throw new Error('there is no entry');
  await scene.vault.write({ ...entry, sealed, version: entry.version + 1 }, entry.version);
}

describe('an entry', () => {
  it('begins with a random version of 40 bits', async () => {
    const versions = await Promise.all(
      [signedIn(), signedIn()].map(async (scene) => (await scene).entry?.version ?? 0),
    );
    for (const version of versions) {
      expect(version).toBeGreaterThan(2 ** 24);
      expect(version).toBeLessThan(2 ** 40);
    }
    expect(versions[0]).not.toBe(versions[1]);
  });

  it('without a refresh token can be deleted 30 days after its token has expired', async () => {
    const scene = await signedIn({ provider: { refreshTokens: false } });
    const { expiresAt } = await get(scene);
    expect(scene.entry?.expires).toEqual(new Date(Number(expiresAt) + 30 * DAY));
    const lasting = makeScene({ provider: { refreshTokens: false } });
    lasting.provider.misbehave({ token: { json: { expires_in: undefined } } });
    await lasting.app.signIn();
    expect(lasting.entry?.expires).toBeNull();
  });

  it('whose refresh token is refused can be deleted 30 days later', async () => {
    const scene = await signedIn();
    scene.later(7200);
    scene.provider.misbehave({ token: { status: 400, body: '{"error":"invalid_grant"}' } });
    await expect(get(scene)).rejects.toMatchObject({ code: 'revoked' });
    expect(scene.entry?.expires).toEqual(new Date(Date.now() + 30 * DAY));
  });

  it.each(['provider', 'account', 'userId', 'clientId', 'accessToken', 'issuedAt'])(
    'is not used without the claim `%s`, which another release may have left out',
    async (name) => {
      const scene = await signedIn();
      const { sealingSecrets: secrets } = settingsFor(scene.app.config);
      const claims = await open(scene.entry?.sealed ?? '', { secrets, salt: TOKENS_SALT, now: new Date() });
      for (const other of [undefined, null, true]) {
        const changed = { ...claims, [name]: other };
        await replaceEntry(scene, await seal(changed, { secrets, salt: TOKENS_SALT, maxAge: 60, now: new Date() }));
        await expect(get(scene)).rejects.toMatchObject({ code: 'unreadable' });
      }
    },
  );

  it('is used without claims that a token need not have', async () => {
    const scene = await signedIn();
    const { sealingSecrets: secrets } = settingsFor(scene.app.config);
    const claims = await open(scene.entry?.sealed ?? '', { secrets, salt: TOKENS_SALT, now: new Date() });
    const changed = {
      ...claims,
      scopes: ['email', 7],
      expiresAt: 'soon',
      refreshToken: null,
      idToken: 7,
      isRefused: 1,
    };
    await replaceEntry(scene, await seal(changed, { secrets, salt: TOKENS_SALT, maxAge: 60, now: new Date() }));
    expect(await get(scene)).toEqual({ accessToken: claims['accessToken'], expiresAt: null, scopes: ['email'] });
    await replaceEntry(
      scene,
      await seal({ ...claims, scopes: 'email' }, { secrets, salt: TOKENS_SALT, maxAge: 60, now: new Date() }),
    );
    expect(await get(scene)).toMatchObject({ scopes: [] });
  });

  it.each(['kms.', 'kms.%%.x', 'kms.a2V5.x.y'])('that begins like one of a KMS is not used: %s', async (sealed) => {
    const kms = { wrap: () => 'key', unwrap: () => new Uint8Array(32) };
    const scene = await signedIn({ tokens: { kms } });
    await replaceEntry(scene, sealed);
    await expect(get(scene)).rejects.toMatchObject({ code: 'unreadable' });
  });

  it('is not opened by the key of another entry', async () => {
    const keys: Uint8Array[] = [];
    const kms = {
      wrap: (key: Uint8Array) => String(keys.push(Uint8Array.from(key)) - 1),
      unwrap: vi.fn((name: string) => keys[Number(name)] ?? new Uint8Array()),
    };
    const scene = await signedIn({ tokens: { kms } });
    const stored = scene.entry?.sealed ?? '';
    scene.later(3601);
    await get(scene);
    expect(keys).toHaveLength(2);
    const [, , ...inner] = stored.split('.');
    await replaceEntry(scene, ['kms', scene.entry?.sealed.split('.')[1], ...inner].join('.'));
    await expect(get(scene)).rejects.toMatchObject({ code: 'unreadable' });
  });
});

describe('a token vault', () => {
  const wrong: [step: keyof TokenVault, answer: unknown][] = [
    ['find', null],
    ['find', {}],
    ['lease', undefined],
    ['lease', 'yes'],
    ['read', undefined],
    ['read', 'entry'],
  ];

  it.each(wrong)('whose `%s` answers %j has failed', async (step, answer) => {
    const scene = await signedIn();
    scene.later(3601);
    const store = { ...scene.vault, [step]: async () => answer } as TokenVault;
    if (step === 'read') store.lease = async () => false;
    const error = await tokensOf({ ...scene.app.config, tokens: { store } }, {})
      .get('fake', { userId: scene.userId })
      .catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(TokensUnavailable);
    expect(error).toMatchObject({ code: 'store-unavailable', provider: 'fake', remedy: 'retry', retryAfter: 5 });
    expect(String(error)).toContain(`the token vault's \`${step}\` failed`);
    expect(String(Reflect.get((error as TokensUnavailable).cause ?? {}, 'err'))).toContain('not that of a token vault');
    expect(scene.refreshes()).toHaveLength(0);
  });

  it.each([undefined, 1, 'true'])('whose `write` answers %j has failed: the sign-in reports it', async (answer) => {
    const scene = makeScene();
    vi.spyOn(scene.vault, 'write').mockResolvedValue(answer as never);
    await scene.app.signIn();
    expect(scene.app.log.errors).toMatchObject([{ code: 'store-unavailable', provider: 'fake' }]);
    expect(String(Reflect.get(scene.app.log.errors[0]?.cause ?? {}, 'err'))).toContain("vault's `write` failed");
  });

  it('is necessary: an adapter without one is reported', async () => {
    const scene = await signedIn();
    const jobs = tokensOf({ ...scene.app.config, tokens: { store: true } }, {});
    await expect(jobs.get('fake', { userId: scene.userId })).rejects.toThrow(
      '`tokens.store: true` needs an adapter with a token vault',
    );
  });

  it('may have methods that use `this`, and answer without a promise', async () => {
    const scene = await signedIn();
    const rows = scene.vault.dump();
    class Vault implements TokenVault {
      readonly rows: VaultEntry[] = rows;
      read() {
        return this.rows[0] ?? null;
      }
      find() {
        return this.rows;
      }
      lease() {
        return this.rows.length > 0;
      }
      write(entry: VaultEntry) {
        this.rows[0] = entry;
        return true;
      }
      remove() {
        this.rows.length = 0;
      }
      scan() {
        return this.rows;
      }
    }
    const jobs = tokensOf({ ...scene.app.config, tokens: { store: new Vault() } }, {});
    scene.later(3601);
    expect(await jobs.get('fake', { userId: scene.userId })).toMatchObject({ accessToken: expect.any(String) });
    expect(await jobs.rewrite()).toEqual({ written: 1, unreadable: 0 });
    expect(await jobs.revoke('fake', { userId: scene.userId })).toHaveLength(1);
    expect(rows).toEqual([]);
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
    expect(await unavailable(get(plain))).toMatchObject({ code: 'unreadable' });
    kms.unwrap.mockImplementation(() => {
      throw new Error('down');
    });
    const other = { ...plain.app.config, tokens: { store: plain.vault, kms: { ...kms } } };
    expect(await unavailable(tokensOf(other, {}).get('fake', { userId: plain.userId }))).toMatchObject({
      code: 'store-unavailable',
      message: expect.stringContaining('the key of the tokens could not be decrypted'),
    });
    expect(plain.app.log.errors.at(-1)).toMatchObject({ code: 'store-unavailable', provider: 'fake' });
  });
});
