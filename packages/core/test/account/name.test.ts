import { describe, expect, it } from 'vitest';
import { change, kinds, makeSite } from './scene.ts';

describe.each(kinds)('the name (%s)', (kind) => {
  it('is changed in the store and in the session at once', async () => {
    const app = makeSite(kind);
    await app.signIn();
    const page = await app.post('account/name', { name: ' Countess\u0000Ada ' });
    expect(page.redirect?.href).toBe('http://localhost:3000/auth/account?done=name');
    expect(app.adapter.dump().users).toMatchObject([{ name: 'Countess Ada' }]);
    expect(await app.session()).toMatchObject({ user: { name: 'Countess Ada', email: 'ada@example.com' } });
    expect(app.events.flatMap(([name]) => (name === 'updateUser' ? [name] : []))).toHaveLength(1);
    await app.post('account/name', { name: '' });
    expect(app.adapter.dump().users).toMatchObject([{ name: null }]);
  });

  it.each([['x'.repeat(101)], [undefined]])('%s is refused', async (name) => {
    const app = makeSite(kind);
    await app.signIn();
    expect((await change(app, 'name', { name })).status).toBe(400);
    expect(app.adapter.dump().users).toMatchObject([{ name: 'Ada Lovelace' }]);
    expect((await change(app, 'name', { name: '🦊'.repeat(100) })).status).toBe(200);
  });
});
