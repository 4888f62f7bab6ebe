import { describe, expect, it } from 'vitest';
import Credentials from '../../src/providers/credentials.ts';
import type { AuthConfig } from '../../src/types.ts';
import { type Door, doors } from './doors.ts';
import { fakeProvider, oidc, type Scene, scene, sessionCookies } from './scene.ts';
import { memoryStore } from './store.ts';

const NAME = 'authjs.session-token';

async function signedIn(door: Door, config: Partial<AuthConfig> = {}): Promise<Scene> {
  const fake = fakeProvider();
  const app = scene(door, { providers: [oidc(fake)], ...config });
  await app.signIn(fake);
  return app;
}

/** Signed in, with a session that is sealed in so many cookies. */
async function inPieces(door: Door): Promise<Scene & { cutTo(pieces: number): Promise<unknown> }> {
  const size = { length: 0 };
  const app = await signedIn(door, {
    callbacks: { jwt: ({ token }) => ({ ...token, filler: 'x'.repeat(size.length) }) },
  });
  return {
    ...app,
    cutTo(pieces) {
      // Sealing makes four characters of three; the other claims are some hundred more.
      size.length = Math.max(0, Math.round(((pieces - 0.5) * 3936 * 3) / 4 - 400));
      return app.session();
    },
  };
}

describe.each(doors)('the token of a JWT session through $name', (door) => {
  it('is made for a user without id, too', async () => {
    const app = scene(door, { providers: [Credentials({ authorize: () => ({ name: 'Ada' }) })] });
    await app.post('callback/credentials');
    expect(await app.session()).toMatchObject({ user: { name: 'Ada' } });
    expect(app.log.errors).toEqual([]);
  });

  it('that is bad is named in the log', async () => {
    const app = scene(door, {});
    app.browser.cookies.set(NAME, 'garbage');
    await app.session();
    expect(app.log.errors[0]?.message).toMatch(/^the session cookie is unreadable or has expired/);
    expect(app.log.errors[0]?.cause).toMatchObject({ err: expect.any(Error), unreadable: true });
  });

  it('that cannot be made anew is named in the log, with the reason', async () => {
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

  it('of which the own `decode` of the application makes nothing is named in the log', async () => {
    const app = await signedIn(door, { jwt: { decode: () => null } });
    expect(await app.session()).toBeNull();
    expect(app.log.errors[0]?.message).toMatch(/^`jwt.decode` returned nothing/);
  });

  it('stays where the own `decode` of the application throws, and the log tells', async () => {
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

  it.each([
    [599, false],
    [600, true],
  ])('is made anew after %d seconds of 600, where the host wants it when it is due: %s', async (seconds, isDue) => {
    const fake = fakeProvider({ now: () => app.clock.now() });
    const app = scene(
      door,
      { providers: [oidc(fake)], session: { maxAge: 6000, updateAge: 600 } },
      { call: { onlyWhenDue: true } },
    );
    app.clock.set('2026-03-01T12:00:00Z');
    await app.signIn(fake);
    app.clock.advance(seconds);
    expect((await app.browser.get('/auth/session')).cookie(NAME) !== undefined).toBe(isDue);
  });
});

describe.each(doors)('a sign-in with a token that cannot be read, through $name', (door) => {
  it.each([
    ['because `decode` throws, is told by the log: nobody is signed in then, and nothing is linked', true],
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

describe.each(doors)('the pieces of a JWT session through $name', (door) => {
  it.each([
    [4, 0],
    [5, 1],
  ])('that are %d give %d warnings', async (pieces, warnings) => {
    const app = await inPieces(door);
    expect(await app.cutTo(pieces)).not.toBeNull();
    expect(sessionCookies(app.browser)).toHaveLength(pieces);
    expect(app.log.warnings).toHaveLength(warnings);
  });

  it('may be 15, with the picture in them, and are no more', async () => {
    const app = await inPieces(door);
    expect(await app.cutTo(15)).toMatchObject({ user: { image: 'https://idp.test/ada.png' } });
    expect(sessionCookies(app.browser)).toHaveLength(15);
    expect(await app.session()).toMatchObject({ user: { image: 'https://idp.test/ada.png' } });
    expect(await app.cutTo(16)).toBeNull();
    expect(sessionCookies(app.browser)).toHaveLength(15);
    expect(app.log.types()).toEqual(['JWTSessionError']);
  });

  it('that are cleared count for nothing', async () => {
    const app = await inPieces(door);
    await app.cutTo(9);
    app.log.warnings.length = 0;
    expect(await app.cutTo(2)).not.toBeNull();
    expect(sessionCookies(app.browser)).toHaveLength(2);
    expect(app.log.warnings).toEqual([]);
  });
});
