import { describe, expect, it } from 'vitest';
import { doors } from '../flows/doors.ts';
import { expectRefused, fakeProvider, oidc, scene, startsSession } from '../flows/scene.ts';

const mallory = { user: { sub: 'mallory', email: 'mallory@example.com' } };

describe.each(doors)('a callback that belongs to somebody else, through $name', (door) => {
  it.each([['pkce'], ['state'], ['nonce']] as const)('signs nobody in who has no sign-in open (%s)', async (check) => {
    const fake = fakeProvider();
    const app = scene(door, { providers: [oidc(fake, { checks: [check] })] });
    const back = await fake.authorize((await app.begin()).location ?? '', mallory);
    const victim = app.visitor();
    expectRefused(app, await app.finish(back, victim), 'InvalidCheck', victim);
    expect(fake.count('token')).toBe(0);
  });

  it.each([['pkce'], ['state'], ['nonce']] as const)(
    'signs nobody in who has another sign-in open (%s), and leaves that one alone',
    async (check) => {
      const fake = fakeProvider();
      const app = scene(door, { providers: [oidc(fake, { checks: [check] })] });
      const stolen = await fake.authorize((await app.begin()).location ?? '', mallory);
      const victim = app.visitor();
      const own = await fake.authorize((await app.begin('fake', {}, victim)).location ?? '');
      expectRefused(app, await app.finish(stolen, victim), 'InvalidCheck', victim);
      expect(startsSession(await app.finish(own, victim))).toBe(true);
      expect(await app.session(victim)).toMatchObject({ user: { email: 'ada@example.com' } });
    },
  );

  it("with its code put into the victim's own callback is refused by the provider's PKCE or by the nonce", async () => {
    for (const checks of [['pkce'], ['nonce']] as const) {
      const fake = fakeProvider();
      const app = scene(door, { providers: [oidc(fake, { checks: [...checks] })] });
      const stolen = new URL(await fake.authorize((await app.begin()).location ?? '', mallory));
      const victim = app.visitor();
      const own = new URL(await fake.authorize((await app.begin('fake', {}, victim)).location ?? ''));
      own.searchParams.set('code', stolen.searchParams.get('code') ?? '');
      expectRefused(app, await app.finish(own.href, victim), 'OAuthCallbackError', victim);
    }
  });

  it('with a code cannot be passed by a provider that ignores PKCE: the nonce takes its place', async () => {
    const fake = fakeProvider();
    fake.overrides.discovery = (metadata) => ({ ...metadata, code_challenge_methods_supported: [] });
    const app = scene(door, { providers: [oidc(fake)] });
    const strip = (address: string | undefined): string => {
      const url = new URL(address ?? '');
      url.searchParams.delete('code_challenge');
      url.searchParams.delete('code_challenge_method');
      return url.href;
    };
    const stolen = new URL(await fake.authorize(strip((await app.begin()).location), mallory));
    const victim = app.visitor();
    const own = new URL(await fake.authorize(strip((await app.begin('fake', {}, victim)).location)));
    own.searchParams.set('code', stolen.searchParams.get('code') ?? '');
    expectRefused(app, await app.finish(own.href, victim), 'OAuthCallbackError', victim);
  });

  it('replayed in its own browser changes nothing: the first session stays', async () => {
    const fake = fakeProvider();
    const app = scene(door, { providers: [oidc(fake)] });
    const back = await fake.authorize((await app.begin()).location ?? '');
    await app.finish(back);
    const again = await app.finish(back);
    expect(again.location).toContain('error=InvalidCheck');
    expect(again.setCookies.filter(({ name }) => name.includes('session-token'))).toEqual([]);
    expect(await app.session()).toMatchObject({ user: { email: 'ada@example.com' } });
    expect(fake.count('token')).toBe(1);
  });

  it('replayed with copied cookies fails at the provider', async () => {
    const fake = fakeProvider();
    const app = scene(door, { providers: [oidc(fake)] });
    const back = await fake.authorize((await app.begin()).location ?? '');
    const thief = app.browser.clone();
    await app.finish(back);
    expectRefused(app, await app.finish(back, thief), 'OAuthCallbackError', thief);
  });

  it('sent twice at once makes one session and no crash', async () => {
    const fake = fakeProvider();
    const app = scene(door, { providers: [oidc(fake)] });
    const back = await fake.authorize((await app.begin()).location ?? '');
    const pages = await Promise.all([app.finish(back), app.finish(back)]);
    expect(pages.filter(startsSession)).toHaveLength(1);
    expect(await app.session()).not.toBeNull();
  });
});
