import { describe, expect, it } from 'vitest';
import { doors } from './doors.ts';
import { expectRefused, fakeProvider, leadsTo, oidc, scene, sessionCookies } from './scene.ts';

describe.each(doors)('signing out through $name', (door) => {
  it('ends the session, tells the event, and leads where it should', async () => {
    const seen: unknown[] = [];
    const fake = fakeProvider();
    const app = scene(door, { providers: [oidc(fake)], events: { signOut: (message) => void seen.push(message) } });
    await app.signIn(fake);
    expect(leadsTo(await app.post('signout', { callbackUrl: '/bye' }))).toBe('/bye');
    expect(sessionCookies(app.browser)).toEqual([]);
    expect(await app.session()).toBeNull();
    expect(seen).toEqual([{ token: expect.objectContaining({ email: 'ada@example.com' }) }]);
  });

  it('of a stranger leads away, with no event and nothing logged', async () => {
    const seen: unknown[] = [];
    const app = scene(door, { events: { signOut: (message) => void seen.push(message) } });
    expect(leadsTo(await app.post('signout'))).toBe('/');
    expect(seen).toEqual([]);
    expect(app.log.errors).toEqual([]);
  });

  it('clears a cookie that cannot be read, and the log tells', async () => {
    const app = scene(door, {});
    app.browser.cookies.set('authjs.session-token', 'garbage');
    await app.post('signout');
    expect(sessionCookies(app.browser)).toEqual([]);
    expect(app.log.types()).toEqual(['SignOutError']);
  });

  it('is not done by a link, nor without our token', async () => {
    const fake = fakeProvider();
    const app = scene(door, { providers: [oidc(fake)] });
    await app.signIn(fake);
    expect((await app.browser.get('/auth/signout')).setCookies.map(({ name }) => name)).not.toContain(
      'authjs.session-token',
    );
    const page = await app.browser.post('/auth/signout', {});
    expect(page.location).toContain('MissingCSRF');
    expect(await app.session()).not.toBeNull();
    const stranger = app.visitor();
    expectRefused(app, await stranger.post('/auth/signout', {}), 'MissingCSRF', stranger);
  });
});
