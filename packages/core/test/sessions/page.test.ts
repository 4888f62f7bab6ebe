import { isRoute } from '@latchkey/core/binding';
import { application, type Browser, MemorySessionRecords } from '@latchkey/testing';
import { describe, expect, it } from 'vitest';
import { ADA, DAY, ended, makeSite, type Site, strategies } from './scene.ts';

const JSON_ACCEPT = { headers: { accept: 'application/json' } };

interface Listed {
  readonly id: string;
  readonly current: boolean;
}

async function list({ app }: Site, browser: Browser = app.browser): Promise<Listed[]> {
  return (await browser.get('/auth/sessions', JSON_ACCEPT)).json<{ sessions: Listed[] }>().sessions;
}

/** A site where the same user has signed in with three browsers, and another user with one. */
async function makeScene(strategy: (typeof strategies)[number], config = {}) {
  const site = makeSite({ strategy, config });
  const { app } = site;
  const [phone, tablet, other] = [app.visitor(), app.visitor(), app.visitor()];
  await app.signIn();
  for (const browser of [phone, tablet]) {
    app.clock.advance(60);
    await app.signIn({ browser });
  }
  await app.signIn({ browser: other, consent: { user: { sub: 'bob', email: 'bob@example.com' } } });
  return { site, app, phone, tablet, other };
}

describe.each(strategies)('the list of sessions (%s)', (strategy) => {
  it('has the sessions of the visitor alone, the last seen first', async () => {
    const { site, app, tablet, other } = await makeScene(strategy);
    const sessions = await list(site, tablet);
    expect(sessions).toEqual([
      {
        id: expect.stringMatching(/^[\w-]{22}$/),
        current: true,
        provider: 'fake',
        startedAt: app.clock.now().toISOString(),
        seenAt: app.clock.now().toISOString(),
        expires: new Date(app.clock.now().getTime() + 30 * DAY * 1000).toISOString(),
      },
      expect.objectContaining({ current: false }),
      expect.objectContaining({ current: false }),
    ]);
    expect((await list(site, other)).map(({ current }) => current)).toEqual([true]);
    expect(await list(site, app.visitor())).toEqual([]);
  });

  it('leaves no session token in the debug log if sessions end', async () => {
    const { app } = await makeScene(strategy, { debug: true });
    const token = app.browser.cookies.get('authjs.session-token')?.value ?? '';
    await app.post('sessions', { end: 'others' });
    expect(token).not.toBe('');
    expect(JSON.stringify(app.log.debugged)).not.toContain(token);
  });

  it('ends one session, the others, or all', async () => {
    const { site, app, phone, tablet, other } = await makeScene(strategy);
    const mine = (await list(site)).find(({ current }) => current);
    const ofPhone = (await list(site, phone)).find(({ current }) => current);
    await app.post('sessions', { end: ofPhone?.id });
    expect((await list(site)).map(({ id }) => id)).not.toContain(ofPhone?.id);
    expect((await list(site)).length).toBe(2);
    await app.post('sessions', { end: 'others' });
    expect((await list(site)).map(({ id }) => id)).toEqual([mine?.id]);
    expect(await app.session()).toMatchObject(ADA);
    app.clock.advance(11);
    expect([await app.session(phone), await app.session(tablet)]).toEqual([null, null]);
    const page = await app.post('sessions', { end: 'all', callbackUrl: '/bye' });
    expect(page.redirect?.pathname).toBe('/bye');
    expect(page.cookie('authjs.session-token')?.value).toBe('');
    expect(await app.session()).toBeNull();
    expect(await app.session(other)).toMatchObject({ user: { email: 'bob@example.com' } });
    expect(ended(site).map(({ reason }) => reason)).toEqual(['user', 'user', 'user']);
  });

  it('does not end sessions of other users', async () => {
    const { site, app, other } = await makeScene(strategy);
    const [foreign] = await list(site, other);
    for (const end of [foreign?.id, 'unknown', '', undefined]) {
      const page = await app.browser.post('/auth/sessions', { csrfToken: await app.csrfToken(), end }, JSON_ACCEPT);
      expect(page.json()).toEqual({ count: 0, within: strategy === 'jwt' ? 10 : 0 });
    }
    expect(await app.session(other)).toMatchObject({ user: { email: 'bob@example.com' } });
    expect((await list(site)).length).toBe(3);
  });

  it('signs out if the session of the request ends', async () => {
    const { site, app } = await makeScene(strategy);
    const mine = (await list(site)).find(({ current }) => current);
    const page = await app.browser.post(
      '/auth/sessions',
      { csrfToken: await app.csrfToken(), end: mine?.id },
      JSON_ACCEPT,
    );
    expect(page.json()).toEqual({ count: 1, within: strategy === 'jwt' ? 10 : 0 });
    expect(page.cookie('authjs.session-token')?.value).toBe('');
    expect(ended(site)).toHaveLength(1);
    expect(await app.session()).toBeNull();
  });

  it('is not changed by another site, or without the CSRF token', async () => {
    const { site, app } = await makeScene(strategy);
    const refused = await app.browser.post('/auth/sessions', { end: 'others' }, JSON_ACCEPT);
    expect([refused.status, refused.json()]).toEqual([400, { error: 'MissingCSRF' }]);
    await app.browser.post(
      '/auth/sessions',
      { csrfToken: await app.csrfToken(), end: 'others' },
      { initiator: 'https://evil.test' },
    );
    expect((await list(site)).length).toBe(3);
  });

  it('is a page whose forms end sessions', async () => {
    const { site, app, phone } = await makeScene(strategy);
    const page = await phone.get('/auth/sessions');
    expect(page.headers.get('content-security-policy')).not.toContain('connect-src');
    expect(page.headers.get('cache-control')).toBe('private, no-store');
    expect(page.text()).toContain('Signed in just now with Fake provider');
    expect(page.text()).toContain('This device');
    const forms = phone.forms(page);
    // One form for each other session, and two for several.
    expect(forms.map(({ buttons }) => buttons[0]?.text)).toEqual([
      'Sign out',
      'Sign out',
      'Sign out on all other devices',
      'Sign out on all devices',
    ]);
    const back = await phone.submit(forms[2] as (typeof forms)[0]);
    expect(back.redirect?.pathname).toBe('/auth/sessions');
    const left = await phone.get('/auth/sessions');
    expect(left.text()).toContain('You are signed in on this device only');
    expect(await list(site, phone)).toHaveLength(1);
    expect((await phone.submit(phone.form(left))).redirect?.pathname).toBe('/');
    expect(await app.session(phone)).toBeNull();
  });

  it('leads visitors without a session to the sign-in page', async () => {
    const { app } = makeSite({ strategy });
    for (const page of [await app.browser.get('/auth/sessions'), await app.post('sessions', { end: 'all' })]) {
      expect(page.redirect?.pathname).toBe('/auth/signin');
      expect(page.redirect?.searchParams.get('callbackUrl')).toBe('http://localhost:3000/auth/sessions');
    }
  });

  it('is not ended by a copy of a session that has ended', async () => {
    const { site, app, phone } = await makeScene(strategy);
    const copy = phone.clone();
    await app.post('signout', {}, phone);
    // Within the lag the copy is still a session, but it lists and ends nothing.
    expect(await list(site, copy)).toEqual([]);
    await app.post('sessions', { end: 'all' }, copy);
    expect(await list(site)).toHaveLength(2);
  });

  it('leads to the page of the application', async () => {
    const { app } = await makeScene(strategy, { pages: { sessions: '/devices' } });
    expect((await app.browser.get('/auth/sessions')).redirect?.pathname).toBe('/devices');
    expect((await app.post('sessions', { end: 'others' })).redirect?.pathname).toBe('/devices');
  });
});

it.each([
  [true, ['Sign out', 'Sign out on all devices']],
  [false, ['Sign out']],
])('is ended by the page that asks before a sign-out, with records: %s', async (records, buttons) => {
  const { browser } = application({ config: { session: { records: records && { store: MemorySessionRecords() } } } });
  const forms = browser.forms(await browser.get('/auth/signout?callbackUrl=/bye'));
  expect(forms.flatMap((form) => form.buttons.map(({ text }) => text))).toEqual(buttons);
});

it('does not exist without records', async () => {
  const { browser } = application({ config: { session: { records: false } } });
  expect((await browser.get('/auth/sessions')).status).toBe(400);
  expect((await browser.post('/auth/sessions', { end: 'all' })).status).toBe(400);
  expect([{}, { session: { records: true } }].map((config) => isRoute('/auth/sessions', '/auth', config))).toEqual([
    false,
    true,
  ]);
});
