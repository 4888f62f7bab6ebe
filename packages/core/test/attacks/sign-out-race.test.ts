import { memoryAdapter } from '@latchkey/testing';
import { describe, expect, it } from 'vitest';
import { doors } from '../flows/doors.ts';
import { fakeProvider, oidc, scene } from '../flows/scene.ts';

describe.each(doors)('a session that ends while it is being read, through $name', (door) => {
  it.each([
    ['a store that compares', true],
    ['a store that only updates', false],
  ])('is told to nobody and not brought back: %s', async (_, optional) => {
    const fake = fakeProvider();
    const adapter = memoryAdapter({ optional: optional as true });
    const app = scene(door, { providers: [oidc(fake)], adapter, session: { updateAge: 0 } });
    await app.signIn(fake);
    const token = app.browser.cookies.get('authjs.session-token')?.value ?? '';
    const other = app.browser.clone();
    const read = adapter.getSessionAndUser;
    adapter.getSessionAndUser = async (asked) => {
      adapter.getSessionAndUser = read;
      const found = await read(asked);
      await app.post('signout', {}, other);
      return found;
    };
    app.clock.advance(60);
    const page = await app.browser.get('/auth/session');
    expect(page.json()).toBeNull();
    expect(page.cookie('authjs.session-token')).toMatchObject({ value: '', maxAge: 0 });
    expect(adapter.dump().sessions).toEqual([]);
    app.browser.cookies.set('authjs.session-token', token);
    expect(await app.session()).toBeNull();
  });
});
