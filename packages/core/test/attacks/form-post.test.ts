import { describe, expect, it } from 'vitest';
import { encode } from '../../src/jwt.ts';
import { doors } from '../flows/doors.ts';
import { expectRefused, fakeProvider, oidc, SECRET, scene } from '../flows/scene.ts';

const formPost = { authorization: { params: { response_mode: 'form_post' } } };

describe.each(doors)('an answer that was posted and sealed, through $name', (door) => {
  it('is not even looked at by another provider', async () => {
    const fake = fakeProvider();
    const providers = [oidc(fake, formPost), oidc(fake, { ...formPost, id: 'other' })];
    const app = scene(door, { providers });
    const { action, fields } = await fake.authorizeForm((await app.begin('other')).location ?? '');
    const posted = await app.browser.post(action.replace('/other', '/fake'), fields, { site: 'cross-site' });
    const elsewhere = (posted.location ?? '').replace('/callback/fake', '/callback/other');
    expectRefused(app, await app.finish(elsewhere), 'InvalidCheck');
    expect(app.log.errors.at(-1)?.cause).toMatchObject({ check: 'form_post' });
    expect(fake.count('token')).toBe(0);
  });

  it('is none where something else was sealed with the same secret', async () => {
    const fake = fakeProvider();
    const app = scene(door, { providers: [oidc(fake, formPost)] });
    const { fields } = await fake.authorizeForm((await app.begin()).location ?? '');
    const token = await encode({ token: { fields, provider: 'fake' }, secret: SECRET, salt: 'authjs.session-token' });
    for (const value of [token, JSON.stringify({ fields, provider: 'fake' }), '']) {
      expectRefused(
        app,
        await app.finish(`/auth/callback/fake?${new URLSearchParams({ form_post: value })}`),
        'InvalidCheck',
      );
      expect(app.log.errors.at(-1)?.cause).toMatchObject({ check: 'form_post' });
    }
    expect(fake.count('token')).toBe(0);
  });
});
