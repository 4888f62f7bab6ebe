import { describe, expect, it } from 'vitest';
import { decode, encode } from '../../src/jwt.ts';
import { claims, oidcSite, SESSION, site, storeSite } from './site.ts';

const DAY = 86_400;
const MONTH = 2_592_000;

describe('limits', () => {
  it.each([
    ['jwt', oidcSite],
    ['database', storeSite],
  ])('session.maxAge | 2592000 seconds (30 days) | idle expiry of a session (%s strategy)', async (_, make) => {
    const app = make();
    await app.enter();
    app.clock.advance(MONTH - 1);
    expect(await app.session()).not.toBeNull();
    const value = app.browser.cookies.get(SESSION)?.value ?? '';
    app.clock.advance(MONTH + 30);
    app.browser.cookies.set(SESSION, value);
    expect(await app.session()).toBeNull();
  });

  it('session.updateAge | 86400 seconds (1 day) | minimum interval between session updates', async () => {
    const app = storeSite();
    await app.enter();
    app.clock.advance(DAY - 1);
    await app.session();
    expect(app.methods()).not.toContain('updateSession');
    app.clock.advance(1);
    await app.session();
    expect(app.methods()).toContain('updateSession');
  });

  it('session.updateAge | `0` = every time', async () => {
    const app = storeSite({ session: { updateAge: 0 } });
    await app.enter();
    for (const _ of [1, 2, 3]) await app.session();
    expect(app.calledWith('updateSession')).toHaveLength(3);
  });

  it('jwt.maxAge | 30 * 24 * 60 * 60 seconds | issued token lifetime', async () => {
    const app = oidcSite();
    await app.enter();
    const { exp = 0, iat = 0 } = (await claims(app)) ?? {};
    expect(exp - iat).toBe(30 * 24 * 60 * 60);
  });

  it('JWTEncodeParams.maxAge | 30 * 24 * 60 * 60 seconds | issued token lifetime', async () => {
    const token = await encode({ token: {}, secret: 'secret', salt: 'x' });
    const { exp = 0, iat = 0 } = (await decode({ token, secret: 'secret', salt: 'x' })) ?? {};
    expect(exp - iat).toBe(30 * 24 * 60 * 60);
  });

  it('secret length | at least 32 characters recommended | `AUTH_SECRET`', async () => {
    const short = site({ secret: 'x'.repeat(31) });
    expect((await short.browser.get('/auth/session')).status).toBe(200);
    expect(short.log.warnings).toEqual([['short-secret']]);
    const long = site({ secret: 'x'.repeat(32) });
    await long.session();
    expect(long.log.warnings).toEqual([]);
  });
});
