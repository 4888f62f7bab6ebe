import { memoryAdapter } from '@latchkey/testing';
import { describe, expect, it } from 'vitest';
import { encode } from '../../src/jwt.ts';
import { type Door, doors } from '../flows/doors.ts';
import { fakeProvider, oidc, type Scene, SECRET, scene } from '../flows/scene.ts';

const NAME = 'authjs.session-token';

async function signedIn(door: Door, strategy: 'jwt' | 'database'): Promise<Scene> {
  const fake = fakeProvider({ now: () => app.clock.now() });
  const app: Scene = scene(door, { providers: [oidc(fake)], adapter: memoryAdapter(), session: { strategy } });
  await app.signIn(fake);
  return app;
}

describe.each(doors)('a server whose clock is not right, through $name', (door) => {
  it.each(['jwt', 'database'] as const)(
    'an hour back, after a correction, keeps the sessions that there are (%s), and ends none',
    async (strategy) => {
      const app = await signedIn(door, strategy);
      app.clock.advance(-3600);
      for (let reading = 0; reading < 3; reading++) {
        expect(await app.session()).toMatchObject({ user: { email: 'ada@example.com' } });
      }
      app.clock.advance(3600);
      expect(await app.session()).toMatchObject({ user: { email: 'ada@example.com' } });
      expect(app.log.errors).toEqual([]);
    },
  );

  it.each([
    ['ends a session that another server would end since 14 seconds, not yet', { exp: -14 }, true],
    ['ends a session that has been over for 16 seconds', { exp: -16 }, false],
    ['takes a session from a server that is ahead of it by 14 seconds', { nbf: 14 }, true],
    ['takes none that begins in 16 seconds', { nbf: 16 }, false],
  ])('%s', async (_, times, isOne) => {
    const app = scene(door, {});
    const now = Math.floor(app.clock.now().getTime() / 1000);
    const { exp, nbf } = times as { exp?: number; nbf?: number };
    const claims = { name: 'Ada', ...(nbf === undefined ? {} : { nbf: now + nbf }) };
    const token = await encode({ token: claims, secret: SECRET, salt: NAME, maxAge: exp ?? 600 });
    app.browser.cookies.set(NAME, token);
    // `encode` has a clock of its own; the seconds in between are no more than those to the next full one.
    app.clock.set(new Date(now * 1000));
    expect((await app.session()) !== null).toBe(isOne);
  });
});
