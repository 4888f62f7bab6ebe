import { describe, expect, it } from 'vitest';
import type { AuthConfig } from '../../src/types/config.ts';
import { type Door, doors } from './doors.ts';
import { type oidc, oidcScene } from './scene.ts';
import { memoryStore } from './store.ts';

const [door] = doors as [Door];

/** The least that `await` accepts: `then` returns nothing, and does not flatten its value. */
function thenable<T>(then: (resolve: (value: T | PromiseLike<T>) => void) => void): PromiseLike<T> {
  return { then } as unknown as PromiseLike<T>;
}

type Later = <T>(value: T) => PromiseLike<T>;
const kinds: [string, Later][] = [
  ['resolves at once', (value) => thenable((resolve) => resolve(value))],
  ['resolves later', (value) => thenable((resolve) => setTimeout(resolve, 1, value))],
  ['resolves with a promise', (value) => thenable((resolve) => resolve(Promise.resolve(value)))],
];

async function signedIn(config: Partial<AuthConfig>, options: Parameters<typeof oidc>[1] = {}) {
  const { app, fake } = oidcScene(door, options, { ...config });
  await app.signIn(fake);
  return app;
}

describe('a promise of another library that the application returns', () => {
  it.each(kinds)('is awaited if it %s', async (_, later) => {
    const app = await signedIn({
      callbacks: { jwt: ({ token }) => later(token), session: ({ session }) => later(session) as never },
      jwt: { encode: () => later('sealed') as never, decode: () => later({ name: 'Ada' }) as never },
    });
    const page = await app.browser.get('/auth/session');
    expect(page.json()).toMatchObject({ user: { name: 'Ada' } });
    expect(page.cookie('authjs.session-token')?.value).toBe('sealed');
    expect(app.log.errors).toEqual([]);
  });

  it('and that throws when it is awaited is a failure of the function', async () => {
    const throws = {
      get: (): never => {
        throw new Error('not a promise');
      },
    };
    const broken = Object.defineProperty({}, 'then', throws) as never;
    const { adapter } = memoryStore();
    for (const [config, options, types] of [
      [{ callbacks: { signIn: () => broken } }, {}, ['AccessDenied']],
      [{}, { profile: () => broken }, ['OAuthProfileParseError']],
      [{ adapter: { ...adapter, createUser: () => broken } }, {}, ['OAuthCreateAccountError']],
    ] as const)
      expect((await signedIn(config, options)).log.types()).toEqual(types);
    const reads = await signedIn({ jwt: { decode: () => broken } });
    expect(await reads.session()).toBeNull();
    expect(reads.log.types()).toContain('JWTSessionError');
  });
});
