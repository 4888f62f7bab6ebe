import { inspect } from 'node:util';
import type { VaultEntry } from '@latchkey/core/types';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { settingsFor } from '../../src/config/settings.ts';
import { open, seal } from '../../src/crypto/seal.ts';
import { openEntry, TOKENS_SALT } from '../../src/tokens/entry.ts';
import { cookieNames } from '../../src/wire/cookie-table.ts';
import { makeScene, type Scene } from './scene.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Everything that an application, its log or its visitors see. */
class Outputs {
  readonly texts: string[] = [];

  add(value: unknown): void {
    this.texts.push(typeof value === 'string' ? value : inspect(value, { depth: 20, maxStringLength: null }));
  }
}

/** The tokens that a provider has issued, as they were in its answers. */
function recordIssued(scene: Scene): Set<string> {
  const issued = new Set<string>();
  const { fetch } = scene.provider;
  const config = scene.app.config.providers[0] as object;
  const symbol = Object.getOwnPropertySymbols(config).find((one) => String(one).includes('fetch'));
  const recording: typeof globalThis.fetch = async (input, init) => {
    const answer = await fetch(input, init);
    const body: unknown = await answer
      .clone()
      .json()
      .catch(() => ({}));
    for (const name of ['access_token', 'refresh_token', 'id_token']) {
      const token: unknown = Reflect.get(body as object, name);
      if (typeof token === 'string') issued.add(token);
    }
    return answer;
  };
  if (!symbol) throw new Error('the provider has no fetch of its own');
  Object.assign(config, { [symbol]: recording });
  return issued;
}

describe('tokens of a provider', () => {
  it('are in no log, error, event, page, address or row of the vault', async () => {
    const outputs = new Outputs();
    const entry = { apis: ['https://api.test'], revocation: () => Promise.reject(new Error('down')) };
    const scene = makeScene({ entry });
    const issued = recordIssued(scene);
    const attempt = async (work: () => Promise<unknown>): Promise<void> => {
      const error = await work().then(
        () => undefined,
        (reason: unknown) => reason,
      );
      if (error) outputs.add(error);
      if (error instanceof Error) outputs.add(`${error.message} ${error.stack} ${JSON.stringify(error)}`);
    };
    const get = (options = {}) => attempt(() => scene.jobs().get('fake', { userId: scene.userId, ...options }));
    const page = await scene.app.signIn();
    outputs.add([page.url, page.location, page.text()]);
    scene.later(3601);
    for (const misbehavior of [
      { token: { status: 500, times: 1 } },
      { token: { status: 401, body: '{"error":"invalid_client"}', times: 1 } },
      { idToken: { claims: { sub: 'eve' } } },
      { token: { json: { token_type: 'mac' }, times: 1 } },
    ]) {
      scene.provider.behave();
      scene.provider.misbehave(misbehavior as object);
      await get();
      scene.later(301);
    }
    scene.provider.behave();
    await scene.app.signIn({ browser: scene.app.visitor() });
    for (const step of ['find', 'read', 'lease', 'write'] as const) {
      scene.vault.fail(step);
      await get({ rejected: [...issued].at(-1) });
    }
    await get({ scopes: ['calendar'] });
    vi.stubGlobal('fetch', async () => new Response(null, { status: 401 }));
    const fetched = scene.jobs().fetch('fake', 'https://api.test/', {}, { userId: scene.userId });
    outputs.add((await fetched).url);
    await attempt(() => scene.jobs().fetch('fake', 'https://evil.test/', {}, { userId: scene.userId }));
    outputs.add(await scene.jobs().list({ userId: scene.userId }));
    outputs.add(scene.vault.dump());
    outputs.add(scene.vault.calls);
    scene.vault.recover();
    outputs.add(await scene.jobs().revoke(undefined, { userId: scene.userId }));
    outputs.add(scene.app.log.errors);
    outputs.add(scene.app.log.warnings);
    outputs.add(scene.app.log.debugged);
    outputs.add(scene.app.events.filter(([name]) => name.startsWith('tokens')));
    expect(issued.size).toBeGreaterThan(8);
    const text = outputs.texts.join('\n');
    expect(text.length).toBeGreaterThan(5000);
    expect([...issued].filter((token) => text.includes(token))).toEqual([]);
  });

  it('are not opened as another sealed value, nor another value as tokens', async () => {
    const scene = makeScene();
    await scene.app.signIn();
    const settings = settingsFor(scene.app.config);
    const entry = scene.entry as VaultEntry;
    const secrets = settings.sealingSecrets;
    for (const name of Object.values(cookieNames).flatMap((one) => [one, `__Secure-${one}`, `__Host-${one}`])) {
      await expect(open(entry.sealed, { secrets, salt: name, now: new Date() })).rejects.toThrow();
      const claims = await open(entry.sealed, { secrets, salt: TOKENS_SALT, now: new Date() });
      const sealed = await seal(claims, { secrets, salt: name, maxAge: 3600, now: new Date() });
      expect(await openEntry(settings, { ...entry, sealed })).toBeUndefined();
    }
  });
});
