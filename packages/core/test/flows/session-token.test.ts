import { describe, expect, it } from 'vitest';
import Credentials from '../../src/providers/credentials.ts';
import type { AuthConfig } from '../../src/types/config.ts';
import { type Door, oneDoor } from './doors.ts';
import {
  fakeProvider,
  later,
  noting,
  oidc,
  oidcScene,
  type Scene,
  type SceneOptions,
  scene,
  sessionCookies,
} from './scene.ts';
import { memoryStore } from './store.ts';

const NAME = 'authjs.session-token';

async function signedIn(door: Door, config: Partial<AuthConfig> = {}): Promise<Scene> {
  const { app, fake } = oidcScene(door, {}, { ...config });
  await app.signIn(fake);
  return app;
}

/** Signs in, with a session in `count` cookies. */
async function inPieces(door: Door): Promise<Scene & { cutTo(pieces: number): Promise<unknown> }> {
  const size = { length: 0 };
  const app = await signedIn(door, {
    callbacks: { jwt: ({ token }) => ({ ...token, filler: 'x'.repeat(size.length) }) },
  });
  return {
    ...app,
    cutTo(pieces) {
      // Base64url has four characters for three bytes. The other claims have some hundred.
      size.length = Math.max(0, Math.round(((pieces - 0.5) * 3936 * 3) / 4 - 400));
      return app.session();
    },
  };
}

describe.each(oneDoor)('the token of a JWT session through $name', (door) => {
  it('is also issued for a user without id', async () => {
    const app = scene(door, { providers: [Credentials({ authorize: () => ({ name: 'Ada' }) })] });
    await app.post('callback/credentials');
    expect(await app.session()).toMatchObject({ user: { name: 'Ada' } });
    expect(app.log.errors).toEqual([]);
  });

  it('is logged if it is invalid', async () => {
    const app = scene(door, {});
    app.browser.cookies.set(NAME, 'garbage');
    await app.session();
    expect(app.log.errors[0]?.message).toMatch(/^the session cookie is unreadable or has expired/);
    expect(app.log.errors[0]?.cause).toMatchObject({ err: expect.any(Error), unreadable: true });
  });

  it('is logged with the reason if it cannot be issued again', async () => {
    const app = await signedIn(door, {
      callbacks: {
        session: () => {
          throw new Error('boom');
        },
      },
    });
    expect(await app.session()).toBeNull();
    expect(app.log.errors[0]?.message).toMatch(/^the session could not be re-issued/);
    expect(app.log.errors[0]?.cause?.err?.message).toBe('boom');
    const page = await app.post('session', { data: 'x' });
    expect([page.status, page.json()]).toEqual([200, null]);
    expect(app.log.types()).toEqual(['JWTSessionError', 'JWTSessionError']);
  });

  it('is logged if `jwt.decode` returns null', async () => {
    const app = await signedIn(door, { jwt: { decode: () => null } });
    expect(await app.session()).toBeNull();
    expect(app.log.errors[0]?.message).toMatch(/^`jwt.decode` returned nothing/);
  });

  it('is kept if `jwt.decode` throws, and the failure is logged', async () => {
    const app = await signedIn(door, {
      jwt: {
        decode: () => {
          throw new Error('boom');
        },
      },
    });
    const page = await app.browser.get('/auth/session');
    expect(page.json()).toBeNull();
    expect(page.cookie(NAME)).toBeUndefined();
    expect(sessionCookies(app.browser)).toEqual([NAME]);
    expect(app.log.errors[0]?.message).toMatch(/^`jwt.decode` threw/);
    expect(app.log.errors[0]?.cause?.err?.message).toBe('boom');
  });
});

describe.each(oneDoor)('a sign-in with an unreadable token, through $name', (door) => {
  it.each([
    ['because `decode` throws, is logged: the visitor is then signed out, and nothing is linked', true],
    ['because it is bad, is not: that is told where it is read', false],
  ])('%s', async (_, isThrown) => {
    const fake = fakeProvider();
    const decode = (): never => {
      throw new Error('boom');
    };
    const app = scene(door, {
      providers: [oidc(fake)],
      adapter: memoryStore().adapter,
      session: { strategy: 'jwt' },
      ...(isThrown && { jwt: { decode } }),
    });
    app.browser.cookies.set(NAME, 'garbage');
    await app.begin();
    expect(app.log.types()).toEqual(isThrown ? ['JWTSessionError'] : []);
  });
});

describe.each(oneDoor)('the chunks of a JWT session through $name', (door) => {
  it('are at most 15, including the picture', async () => {
    const app = await inPieces(door);
    expect(await app.cutTo(15)).toMatchObject({ user: { image: 'https://idp.test/ada.png' } });
    expect(sessionCookies(app.browser)).toHaveLength(15);
    expect(await app.session()).toMatchObject({ user: { image: 'https://idp.test/ada.png' } });
    expect(await app.cutTo(16)).toBeNull();
    expect(sessionCookies(app.browser)).toHaveLength(15);
    expect(app.log.types()).toEqual(['JWTSessionError']);
  });

  it('are not counted if they are cleared', async () => {
    const app = await inPieces(door);
    await app.cutTo(9);
    app.log.warnings.length = 0;
    expect(await app.cutTo(2)).not.toBeNull();
    expect(sessionCookies(app.browser)).toHaveLength(2);
    expect(app.log.warnings).toEqual([]);
  });
});

describe('the limits of a session', () => {
  const [door] = oneDoor as [Door];
  const DAY = 86_400;
  const MONTH = 2_592_000;
  const CHUNK = 3936;

  async function atWholeSecond(options: SceneOptions = {}): Promise<Scene> {
    const fake = fakeProvider();
    const app = scene(door, { providers: [oidc(fake)] }, options);
    app.clock.set(new Date(Math.floor(Date.now() / 1000) * 1000));
    await app.signIn(fake);
    return app;
  }

  it.each([
    [MONTH + 14, true],
    [MONTH + 15, false],
  ])('in its cookie counts %i seconds after its last reading: %s', async (seconds, counts) => {
    const app = await atWholeSecond();
    await later(app, seconds);
    expect((await app.session()) !== null).toBe(counts);
  });

  it.each([
    [DAY - 1, false],
    [DAY, true],
  ])(
    'in its cookie is issued again after %i seconds if the host renews sessions when due: %s',
    async (seconds, isDue) => {
      const app = await atWholeSecond({ call: { renew: 'when-due' } });
      app.clock.advance(seconds);
      expect((await app.browser.get('/auth/session')).cookie(NAME) !== undefined).toBe(isDue);
    },
  );

  it.each([
    [DAY - 0.001, [false, true]],
    [DAY, [true, true]],
    [MONTH, [true, true]],
    [MONTH + 0.001, [false, false]],
  ])('in the store after %d seconds: it is extended, it counts: %j', async (seconds, [isExtended, counts]) => {
    const store = memoryStore();
    const app = await signedIn(door, { adapter: store.adapter });
    await later(app, seconds);
    expect((await app.session()) !== null).toBe(counts);
    expect(store.names().includes('updateSession')).toBe(isExtended);
    expect(store.names().includes('deleteSession')).toBe(!counts);
  });

  /** Makes an application whose `jwt.encode` returns tokens of any length. */
  function sized(length: number): Scene & { read: string[] } {
    const read: string[] = [];
    const jwt: AuthConfig['jwt'] = {
      encode: () => 'x'.repeat(length),
      decode: ({ token = '' }) => noting(read, token, { sub: '7', name: 'Ada' }),
    };
    return { ...scene(door, { providers: [Credentials({ authorize: () => ({ id: '7' }) })], jwt }), read };
  }

  it.each([
    [CHUNK, 1, []],
    [CHUNK + 1, 2, []],
    [4 * CHUNK, 4, []],
    [4 * CHUNK + 1, 5, ['session-cookie-size']],
    [15 * CHUNK, 15, ['session-cookie-size']],
    [15 * CHUNK + 1, 0, ['session-cookie-size']],
  ])('of %i characters: it is set in %i cookies, with the warnings %j', async (length, count, warnings) => {
    const app = sized(length);
    await app.post('callback/credentials');
    expect(app.log.warnings.map(([code]) => code)).toEqual(warnings);
    expect(sessionCookies(app.browser)).toHaveLength(count);
    for (const { value } of app.browser.cookies.all()) expect(value.length).toBeLessThanOrEqual(CHUNK);
    expect((await app.session()) !== null).toBe(count > 0);
    expect(app.read).toEqual(count > 0 ? ['x'.repeat(length)] : []);
  });

  it('is read from twenty cookies at most', async () => {
    const app = sized(1);
    const cookie = Array.from('abcdefghijklmnopqrstu', (letter, index) => `${NAME}.${index}=${letter}`);
    await app.browser.get('/auth/session', { headers: { cookie: cookie.join('; ') } });
    expect(app.read).toEqual(['abcdefghijklmnopqrst']);
  });
});
