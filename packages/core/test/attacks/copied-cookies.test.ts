import { memoryAdapter } from '@latchkey/testing';
import { describe, expect, it } from 'vitest';
import { doors } from '../flows/doors.ts';
import { expectRefused, fakeProvider, leadsTo, oidc, scene } from '../flows/scene.ts';

describe.each(doors)('cookies of a pending sign-in that were copied, through $name', (door) => {
  const site = (optional: boolean, check: 'pkce' | 'state' | 'nonce' = 'pkce') => {
    const fake = fakeProvider();
    const adapter = memoryAdapter({ optional });
    const providers = [oidc(fake, { checks: [check] })];
    return { fake, adapter, app: scene(door, { providers, adapter, session: { strategy: 'jwt' } }) };
  };

  it.each(['pkce', 'state', 'nonce'] as const)(
    'are worth nothing once the callback was answered: the code is not even sent to the provider (%s)',
    async (check) => {
      const { fake, app } = site(true, check);
      const back = await fake.authorize((await app.begin()).location ?? '');
      const thief = app.browser.clone();
      expect(leadsTo(await app.finish(back))).toBe('/');
      expectRefused(app, await app.finish(back, thief), 'InvalidCheck', thief);
      expect(fake.count('token')).toBe(1);
      expect(app.log.errors.at(-1)?.cause).toMatchObject({ check: 'once' });
    },
  );

  it.each([
    ['pkce', false],
    ['nonce', false],
    ['pkce', true],
    ['nonce', true],
  ] as const)(
    'are worth nothing either where the state is cut and its cookie left out, with %s (in the first answer too: %s)',
    async (check, isFirst) => {
      const { fake, app } = site(true, check);
      const back = new URL(await fake.authorize((await app.begin()).location ?? ''));
      const thief = app.browser.clone();
      const another = app.browser.clone();
      for (const { cookies } of [thief, another]) cookies.delete('authjs.state');
      const cut = new URL(back);
      cut.searchParams.delete('state');
      expect(leadsTo(await app.finish(isFirst ? cut.href : back.href, isFirst ? another : undefined))).toBe('/');
      expectRefused(app, await app.finish(cut.href, thief), 'InvalidCheck', thief);
      expect(fake.count('token')).toBe(1);
    },
  );

  it.each([
    ['pkce', 'authjs.pkce.code_verifier'],
    ['nonce', 'authjs.nonce'],
  ] as const)('are worth nothing either beside the state of a new sign-in, with %s', async (check, name) => {
    const { fake, app } = site(true, check);
    const back = new URL(await fake.authorize((await app.begin()).location ?? ''));
    const thief = app.browser.clone();
    const copied = thief.cookies.get(name)?.value ?? '';
    expect(leadsTo(await app.finish(back.href))).toBe('/');
    await app.begin('fake', {}, thief);
    thief.cookies.set(name, copied);
    back.searchParams.delete('state');
    expectRefused(app, await app.finish(back.href, thief), 'InvalidCheck', thief);
    expect(fake.count('token')).toBe(1);
    expect(app.log.errors.at(-1)?.cause).toMatchObject({ check: 'once' });
  });

  it('let one of two simultaneous callbacks through', async () => {
    const { fake, app, adapter } = site(true);
    const back = await fake.authorize((await app.begin()).location ?? '');
    const other = app.browser.clone();
    const answers = await Promise.all([app.finish(back), app.finish(back, other)]);
    expect(answers.map(leadsTo).sort()).toEqual(['/', '/auth/signin?error=InvalidCheck']);
    expect(adapter.dump().users).toHaveLength(1);
  });

  it('are left to the provider, which takes a code once, where the store cannot remember', async () => {
    const { fake, app } = site(false);
    const back = await fake.authorize((await app.begin()).location ?? '');
    const thief = app.browser.clone();
    expect(leadsTo(await app.finish(back))).toBe('/');
    expectRefused(app, await app.finish(back, thief), 'OAuthCallbackError', thief);
  });

  it('start nothing while the store is down', async () => {
    const { fake, app, adapter } = site(true);
    const back = await fake.authorize((await app.begin()).location ?? '');
    adapter.fail('spendOnce', 'before');
    expect(leadsTo(await app.finish(back))).toMatch(/^\/auth\/error\?error=Configuration/);
    expect(fake.count('token')).toBe(0);
  });
});
