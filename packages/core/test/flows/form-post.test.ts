import { describe, expect, it } from 'vitest';
import { doors } from './doors.ts';
import {
  expectRefused,
  fakeProvider,
  later,
  leadsTo,
  oidc,
  oidcScene,
  type Scene,
  scene,
  startsSession,
} from './scene.ts';

const formPost = { authorization: { params: { response_mode: 'form_post', scope: 'openid email' } } };

/** As the browser does it: the provider's page posts across sites, then our answer is followed. */
async function comeBack(app: Scene, location: string, fake: ReturnType<typeof fakeProvider>) {
  const { action, fields } = await fake.authorizeForm(location);
  const posted = await app.browser.post(action, fields, { site: 'cross-site' });
  return { posted, page: await app.browser.follow(posted) };
}

describe.each(doors)('a provider that posts its answer, through $name', (door) => {
  it('signs in, and leads to the requested page, although the POST has no cookies', async () => {
    const { app, fake } = oidcScene(door, { ...formPost, checks: ['pkce', 'state', 'nonce'] });
    const started = await app.begin('fake', { callbackUrl: '/private?tab=2' });
    const { posted, page } = await comeBack(app, started.location ?? '', fake);
    expect(posted.status).toBe(303);
    expect(posted.setCookies).toEqual([]);
    expect(posted.location).not.toContain('code_');
    expect(leadsTo(page)).toBe('/private?tab=2');
    expect(await app.session()).toMatchObject({ user: { email: 'ada@example.com' } });
    expect(app.log.types()).toEqual([]);
  });

  it('reports that the visitor canceled', async () => {
    const { app, fake } = oidcScene(door, formPost);
    const started = await app.begin();
    const { action } = await fake.authorizeForm(started.location ?? '');
    const state = new URL(started.location ?? '').searchParams.get('state') ?? '';
    const posted = await app.browser.post(action, { error: 'access_denied', state }, { site: 'cross-site' });
    const page = await app.browser.follow(posted);
    expect(leadsTo(page)).toBe('/auth/signin?error=OAuthCallbackError');
    expect([page.setCookies.some(({ name }) => name.includes('session-token')), app.log.types()]).toEqual([false, []]);
  });

  it('is refused if the answer comes in the query instead', async () => {
    const { app, fake } = oidcScene(door, formPost);
    const started = await app.begin();
    const { action, fields } = await fake.authorizeForm(started.location ?? '');
    const query = new URLSearchParams(fields as Record<string, string>);
    expectRefused(app, await app.finish(`${action}?${query}`), 'InvalidCheck');
    expect(fake.count('token')).toBe(0);
  });

  it.each([
    [0, 'other', false],
    [134, 'fake', true],
    [135, 'fake', false],
  ])('is accepted %i seconds after the POST, at the provider "%s": %s', async (seconds, id, isAccepted) => {
    const fake = fakeProvider();
    const app = scene(door, { providers: [oidc(fake, formPost), oidc(fake, { ...formPost, id: 'other' })] });
    const { action, fields } = await fake.authorizeForm((await app.begin()).location ?? '');
    const posted = await app.browser.post(action, fields, { site: 'cross-site' });
    await later(app, seconds);
    const page = await app.finish((posted.location ?? '').replace('/callback/fake', `/callback/${id}`));
    if (isAccepted) expect(startsSession(page)).toBe(true);
    else expectRefused(app, page, 'InvalidCheck');
  });

  it.each([
    [5000, '/auth/callback/fake?form_post='],
    [5001, '/auth/signin?error=InvalidCheck'],
  ])('may post %i characters: that leads to %s', async (length, target) => {
    const { app } = oidcScene(door, formPost);
    const code = 'x'.repeat(length - JSON.stringify([['code', '']]).length);
    const page = await app.browser.post('/auth/callback/fake', { code }, { site: 'cross-site' });
    expect(leadsTo(page)?.startsWith(target), leadsTo(page)).toBe(true);
  });

  it('is the only kind of provider that may post', async () => {
    const { app } = oidcScene(door);
    const page = await app.browser.post('/auth/callback/fake', { code: 'x', state: 'y' }, { site: 'cross-site' });
    expect(leadsTo(page)).toBe('/auth/signin?error=InvalidProvider');
  });
});
