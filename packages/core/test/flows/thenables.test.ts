import { describe, expect, it } from 'vitest';
import { Auth } from '../../src/auth.ts';
import { encode } from '../../src/jwt.ts';
import type { AuthConfig } from '../../src/types.ts';
import { type Door, doors } from './doors.ts';
import { fakeProvider, log, oidc, SECRET, scene } from './scene.ts';
import { memoryStore } from './store.ts';

const COOKIE = 'authjs.session-token';

/** As little of a promise as `await` is content with: `then` returns nothing, and does not flatten what it gives. */
type Thenable = <T>(value: T) => PromiseLike<T>;

const kinds: [string, Thenable][] = [
  ['tells at once', (value) => thenable((resolve) => resolve(value))],
  ['tells later', (value) => thenable((resolve) => setTimeout(resolve, 1, value))],
  ['tells a promise', (value) => thenable((resolve) => resolve(Promise.resolve(value)))],
];

function thenable<T>(then: (resolve: (value: T | PromiseLike<T>) => void) => void): PromiseLike<T> {
  return { then } as unknown as PromiseLike<T>;
}

async function answer(config: Partial<AuthConfig>): Promise<{ body: unknown; isRenewed: boolean; errors: string[] }> {
  const logger = log();
  const value = await encode({ token: { name: 'Ada' }, secret: SECRET, salt: COOKIE });
  const request = new Request('http://localhost:3000/auth/session', { headers: { cookie: `${COOKIE}=${value}` } });
  const response = await Auth(request, { providers: [], secret: SECRET, trustHost: true, logger, ...config });
  const isRenewed = response.headers.getSetCookie().some((line) => line.startsWith(`${COOKIE}=`));
  return { body: await response.json(), isRenewed, errors: logger.types() };
}

describe.each(kinds)('what an application hands in as a promise, and %s', (_, soon) => {
  const signedIn = { body: { user: { name: 'Ada' } }, isRenewed: true, errors: [] };

  it('is waited for from `callbacks.jwt`', async () => {
    const config = { callbacks: { jwt: ({ token }) => soon(token) } } satisfies Partial<AuthConfig>;
    expect(await answer(config)).toMatchObject(signedIn);
  });

  it('is waited for from `callbacks.session`', async () => {
    const config: Partial<AuthConfig> = { callbacks: { session: ({ session }) => soon(session) as never } };
    expect(await answer(config)).toMatchObject(signedIn);
  });

  it('is waited for from `jwt.decode` and `jwt.encode`', async () => {
    const jwt = { decode: () => soon({ name: 'Ada' }), encode: () => soon('sealed') } as unknown as AuthConfig['jwt'];
    expect(await answer({ ...(jwt && { jwt }) })).toMatchObject(signedIn);
  });
});

describe('an answer of an application that cannot even be asked whether it is a promise', () => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  const trap = Object.defineProperty({}, 'then', {
    get(): never {
      throw new Error('not to be asked');
    },
  });

  it.each([
    ['a getter that throws', trap],
    ['a proxy that was revoked', proxy],
  ])('is a failure of the function that gave it: %s', async (_, odd) => {
    const asks = [
      [{ callbacks: { signIn: () => odd as never } }, {}, 'AccessDenied'],
      [{}, { profile: () => odd as never }, 'OAuthProfileParseError'],
    ] as const;
    for (const [config, options, type] of asks) {
      const fake = fakeProvider();
      const app = scene(doors[0] as Door, { providers: [oidc(fake, options)], ...config });
      await app.signIn(fake);
      expect(app.log.types()).toEqual([type]);
    }
    const store = memoryStore();
    const fake = fakeProvider();
    const adapter = { ...store.adapter, createUser: () => odd as never };
    const app = scene(doors[0] as Door, { providers: [oidc(fake)], adapter });
    await app.signIn(fake);
    expect(app.log.types()).toEqual(['OAuthCreateAccountError']);
  });
});

describe('a promise of an application that throws when it is waited for', () => {
  it('is a failure of the function that gave it', async () => {
    const broken = (): never =>
      thenable(() => {
        throw new Error('no promise');
      }) as never;
    expect(await answer({ jwt: { decode: broken } })).toMatchObject({ body: null, errors: ['JWTSessionError'] });
    expect(await answer({ callbacks: { jwt: broken } })).toMatchObject({ body: null, errors: ['JWTSessionError'] });
  });
});
