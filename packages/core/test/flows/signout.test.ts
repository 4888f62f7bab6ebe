import { describe, expect, it } from 'vitest';
import { doors } from './doors.ts';
import { expectRefused, leadsTo, oidcScene, scene, sessionCookies } from './scene.ts';

describe.each(doors)('signing out through $name', (door) => {
  it('ends the session, emits `signOut` and redirects to the callback URL', async () => {
    const seen: unknown[] = [];
    const { app, fake } = oidcScene(door, {}, { events: { signOut: (message) => void seen.push(message) } });
    await app.signIn(fake);
    expect(leadsTo(await app.post('signout', { callbackUrl: '/bye' }))).toBe('/bye');
    expect(sessionCookies(app.browser)).toEqual([]);
    expect(await app.session()).toBeNull();
    expect(seen).toEqual([{ token: expect.objectContaining({ email: 'ada@example.com' }) }]);
  });

  it('without a session redirects, emits no event and logs nothing', async () => {
    const seen: unknown[] = [];
    const app = scene(door, { events: { signOut: (message) => void seen.push(message) } });
    expect(leadsTo(await app.post('signout'))).toBe('/');
    expect(seen).toEqual([]);
    expect(app.log.errors).toEqual([]);
  });

  it('clears an unreadable cookie and logs the failure', async () => {
    const app = scene(door, {});
    app.browser.cookies.set('authjs.session-token', 'garbage');
    await app.post('signout');
    expect(sessionCookies(app.browser)).toEqual([]);
    expect(app.log.types()).toEqual(['SignOutError']);
  });

  it('requires a POST and the CSRF token', async () => {
    const { app, fake } = oidcScene(door);
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
