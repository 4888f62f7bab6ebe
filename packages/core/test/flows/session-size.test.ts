import { describe, expect, it } from 'vitest';
import { doors } from './doors.ts';
import { fakeProvider, oidc, oidcScene, type Scene, scene, sessionCookies } from './scene.ts';

const NAME = 'authjs.session-token';

/** Makes an application whose session has any size. */
async function sized(door: (typeof doors)[number]): Promise<Scene & { size: { length: number } }> {
  const fake = fakeProvider();
  const size = { length: 0 };
  const random = (length: number): string =>
    Array.from({ length }, (_, at) => ((at * 7919) % 36).toString(36)).join('');
  const app = scene(door, {
    providers: [oidc(fake)],
    callbacks: { jwt: ({ token }) => ({ ...token, filler: random(size.length) }) },
  });
  await app.signIn(fake);
  return { ...app, size };
}

describe.each(doors)('a large session through $name', (door) => {
  it('is split into cookies that browsers store; no chunk is left over when it shrinks', async () => {
    const app = await sized(door);
    expect(sessionCookies(app.browser)).toEqual([NAME]);
    app.size.length = 6000;
    await app.session();
    expect(sessionCookies(app.browser).sort()).toEqual([`${NAME}.0`, `${NAME}.1`, `${NAME}.2`]);
    expect(await app.session()).toMatchObject({ user: { name: 'Ada Lovelace' } });
    app.size.length = 3500;
    await app.session();
    expect(sessionCookies(app.browser).sort()).toEqual([`${NAME}.0`, `${NAME}.1`]);
    app.size.length = 0;
    await app.session();
    expect(sessionCookies(app.browser)).toEqual([NAME]);
    expect(await app.session()).toMatchObject({ user: { name: 'Ada Lovelace' } });
    expect(app.browser.rejected).toEqual([]);
    expect(app.log.errors).toEqual([]);
  });

  it('is cleared completely by signing out', async () => {
    const app = await sized(door);
    app.size.length = 6000;
    await app.session();
    await app.post('signout');
    expect(sessionCookies(app.browser)).toEqual([]);
    expect(await app.session()).toBeNull();
  });

  it('warns the owner above four cookies, without the values', async () => {
    const app = await sized(door);
    app.size.length = 16_000;
    await app.session();
    expect(app.log.warnings).toEqual([['session-cookie-size', expect.stringMatching(/^filler: 16002, /)]]);
    expect(await app.session()).not.toBeNull();
  });

  it('that no cookie jar could hold is not issued; the old one stays', async () => {
    const app = await sized(door);
    app.size.length = 200_000;
    expect(await app.session()).toBeNull();
    expect(app.log.errors[0]?.cause?.err?.message).toMatch(/larger than cookies can hold/);
    app.size.length = 0;
    expect(await app.session()).not.toBeNull();
  });

  it.each([20_000, 40_000, 43_000, 46_000, 50_000, 58_000])(
    'with %d characters can be read if it is issued',
    async (length) => {
      const app = await sized(door);
      app.size.length = length;
      const issued = (await app.session()) !== null;
      expect(issued).toBe(app.log.errors.length === 0);
      app.size.length = 0;
      expect(await app.session()).not.toBeNull();
    },
  );

  it('loses only a picture that is too large', async () => {
    const { app, fake } = oidcScene(door);
    await app.signIn(fake, { consent: { user: { sub: 's', name: 'Ada', picture: `data:,${'x'.repeat(100_000)}` } } });
    expect(await app.session()).toEqual({ user: { name: 'Ada' }, expires: expect.any(String) });
  });

  it("is not disturbed by a stranger's cookie of a similar name, and leaves that alone", async () => {
    const app = await sized(door);
    app.browser.cookies.set(`${NAME}-x`, 'planted');
    app.browser.cookies.set(`${NAME}.7`, 'planted');
    expect(await app.session()).toMatchObject({ user: { name: 'Ada Lovelace' } });
    await app.post('signout');
    expect(app.browser.cookies.has(`${NAME}-x`)).toBe(true);
  });
});
