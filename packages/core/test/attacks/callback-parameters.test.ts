import { describe, expect, it } from 'vitest';
import { doors } from '../flows/doors.ts';
import { expectRefused, fakeProvider, oidc, scene, startsSession } from '../flows/scene.ts';

describe.each(doors)('parameters of a callback, through $name', (door) => {
  it.each(['code', 'state', 'iss', 'error', 'error_description'])('given twice as %s are refused', async (name) => {
    const fake = fakeProvider();
    const app = scene(door, { providers: [oidc(fake)] });
    const back = new URL(await fake.authorize((await app.begin()).location ?? ''));
    back.searchParams.append(name, back.searchParams.get(name) ?? 'x');
    if (name.startsWith('error')) back.searchParams.append(name, 'x');
    expectRefused(app, await app.finish(back.href), 'OAuthCallbackError');
    expect(fake.count('token')).toBe(0);
  });

  it.each([{ id_token: 'x' }, { token: 'x' }, { response: 'x' }])(
    'of another response type are refused: %j',
    async (parameters) => {
      const fake = fakeProvider();
      const app = scene(door, { providers: [oidc(fake)] });
      const back = await fake.authorize((await app.begin()).location ?? '', { parameters: parameters as never });
      expectRefused(app, await app.finish(back), 'OAuthCallbackError');
      expect(fake.count('token')).toBe(0);
    },
  );

  it.each([undefined, ''])('without a code (%j) are refused', async (code) => {
    const fake = fakeProvider();
    const app = scene(door, { providers: [oidc(fake)] });
    const back = await fake.authorize((await app.begin()).location ?? '', { parameters: { code } });
    expectRefused(app, await app.finish(back), 'OAuthCallbackError');
    expect(fake.count('token')).toBe(0);
  });

  it('that nobody knows are passed over', async () => {
    const fake = fakeProvider();
    const app = scene(door, { providers: [oidc(fake)] });
    const parameters = { session_state: 'x', scope: 'openid', user: '{"name":"x"}', authuser: '0' };
    const back = await fake.authorize((await app.begin()).location ?? '', { parameters });
    expect(startsSession(await app.finish(back))).toBe(true);
  });

  it('posted from another site start nothing by themselves', async () => {
    const fake = fakeProvider();
    const app = scene(door, { providers: [oidc(fake)] });
    const back = new URL(await fake.authorize((await app.begin()).location ?? ''));
    const page = await app.browser.post('/auth/callback/fake', back.searchParams, { site: 'cross-site' });
    expect(startsSession(page)).toBe(false);
    expect(fake.count('token')).toBe(0);
  });

  it('of a refusal, however long or hostile, reach no page and no address', async () => {
    const fake = fakeProvider();
    const app = scene(door, { providers: [oidc(fake)] });
    const description = `<img src=x onerror=alert(1)>${'x'.repeat(5000)}`;
    const back = await fake.authorize((await app.begin()).location ?? '', { deny: '"><script>', description });
    const page = await app.finish(back);
    expectRefused(app, page, 'OAuthCallbackError');
    expect((await app.browser.follow(page)).text()).not.toMatch(/onerror|<script/);
    expect(JSON.stringify(app.log.errors[0]?.cause).length).toBeLessThan(1200);
  });
});
