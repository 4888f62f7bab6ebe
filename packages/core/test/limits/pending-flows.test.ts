import { describe, expect, it } from 'vitest';
import { expectRefused, fakeProvider, leadsTo, oidc, type Scene, scene, startsSession } from '../flows/scene.ts';
import { mailSite, oidcSite, passkeySite } from '../spec/site.ts';
import { door, ORIGIN, text } from './edges.ts';

const FORM_POST = { authorization: { params: { response_mode: 'form_post', scope: 'openid' } } };

/** Cookies as they were, whatever a browser would have dropped meanwhile. */
async function later(app: Scene, seconds: number): Promise<void> {
  const kept = app.browser.cookies.all();
  app.clock.advance(seconds);
  for (const { name, value } of kept) app.browser.cookies.set(name, value);
}

describe('a pending sign-in', () => {
  it.each([
    [899, true],
    [900, false],
  ])('that is answered after %i seconds counts: %s', async (seconds, counts) => {
    const app = oidcSite();
    const back = await app.fake.authorize((await app.begin()).location ?? '');
    await later(app, seconds);
    const page = await app.finish(back);
    if (counts) expect(startsSession(page)).toBe(true);
    else expectRefused(app, page, 'InvalidCheck');
  });

  it.each([
    [4, true],
    [5, false],
  ])('is kept beside others: the first of %i counts: %s', async (count, counts) => {
    const app = oidcSite();
    const starts: string[] = [];
    for (let index = 0; index < count; index++) starts.push((await app.begin()).location ?? '');
    const page = await app.finish(await app.fake.authorize(starts[0] ?? ''));
    if (counts) expect(startsSession(page)).toBe(true);
    else expectRefused(app, page, 'InvalidCheck');
  });

  it.each([
    [2047, true],
    [2048, false],
  ])('is kept where its cookie has %i characters, name and value: %s', async (length, isKept) => {
    const begun = async (name: string) => {
      const fake = fakeProvider();
      const app = scene(door, { providers: [oidc(fake, { checks: ['state'] })], cookies: { state: { name } } });
      const fields = { callbackUrl: `/${text(400)}` };
      const first = await app.begin('fake', fields);
      const second = await app.begin('fake', fields);
      return { app, fake, first, value: second.cookie(name)?.value ?? '' };
    };
    // The same contents under a longer name.
    const { value } = await begun('s');
    const { app, fake, first, value: kept } = await begun(text(length - value.length));
    expect(kept.length === value.length).toBe(isKept);
    const page = await app.finish(await fake.authorize(first.location ?? ''));
    if (isKept) expect(startsSession(page)).toBe(true);
    else expectRefused(app, page, 'InvalidCheck');
  });

  it('knows its own return address of up to 512 characters; a longer one is the browser’s, which may be another by then', async () => {
    for (const [length, isKept] of [
      [512, true],
      [513, false],
    ] as const) {
      const app = oidcSite();
      const callbackUrl = `/${text(length - ORIGIN.length - 1)}`;
      const first = await app.begin('fake', { callbackUrl });
      await app.begin('fake', { callbackUrl: '/other' });
      const page = await app.finish(await app.fake.authorize(first.location ?? ''));
      expect(leadsTo(page)).toBe(isKept ? callbackUrl : '/other');
    }
  });

  it.each([
    [134, true],
    [135, false],
  ])('whose answer was posted %i seconds ago counts: %s', async (seconds, counts) => {
    const app = oidcSite({}, FORM_POST);
    const { action, fields } = await app.fake.authorizeForm((await app.begin()).location ?? '');
    const posted = await app.browser.post(action, fields, { site: 'cross-site' });
    await later(app, seconds);
    const page = await app.finish(posted.location ?? '');
    if (counts) expect(startsSession(page)).toBe(true);
    else expectRefused(app, page, 'InvalidCheck');
  });

  it.each([
    [914, true],
    [915, false],
  ])('of another deployment is handed on after %i seconds: %s', async (seconds, isHandedOn) => {
    const fake = fakeProvider();
    const config = { providers: [oidc(fake)], redirectProxyUrl: 'https://app.example/auth' };
    const proxy = scene(door, config, { origin: 'https://app.example' });
    const preview = scene(door, config, { origin: 'https://preview.example' });
    const back = await fake.authorize((await preview.begin()).location ?? '');
    proxy.clock.set(new Date(preview.clock.now().getTime() + seconds * 1000));
    const page = await proxy.finish(back);
    expect(page.redirect?.origin).toBe(isHandedOn ? 'https://preview.example' : 'https://app.example');
  });
});

describe('a challenge', () => {
  it.each([
    [914, true],
    [915, false],
  ])('that is answered after %i seconds counts: %s', async (seconds, counts) => {
    const app = passkeySite();
    const { options } = await app.options({ email: 'ada@example.com', action: 'register' });
    await later(app, seconds);
    const page = await app.answer('register', app.phone.create(options, app.browser.origin));
    if (counts) expect(startsSession(page)).toBe(true);
    else expectRefused(app, page, 'InvalidCheck');
  });

  it('is what a browser has five minutes for', async () => {
    const { options } = await passkeySite().options({ email: 'ada@example.com', action: 'register' });
    expect(options['timeout']).toBe(300_000);
  });
});

describe('a mailed link', () => {
  it.each([
    [86_400_000, '/in'],
    [86_400_001, '/auth/error?error=Verification'],
  ])('that is opened after %i ms leads to %s', async (milliseconds, path) => {
    const app = mailSite();
    const link = await app.link('ada@example.com');
    app.clock.advance(milliseconds / 1000);
    expect(leadsTo(await app.open(link))).toBe(path);
  });
});
