import { describe, expect, it } from 'vitest';
import Credentials from '../../src/providers/credentials.ts';
import { doors } from '../flows/doors.ts';
import { scene } from '../flows/scene.ts';

describe.each(doors)('a field called __proto__, however deep, through $name', (door) => {
  it('reaches no hook: what is assigned from the body keeps its prototype', async () => {
    const seen: object[] = [];
    const app = scene(door, {
      providers: [
        Credentials({
          authorize: (fields) => {
            seen.push(Object.assign({}, fields.inner));
            return { id: 'ada' };
          },
        }),
      ],
      callbacks: {
        jwt: ({ token, session, trigger }) => {
          if (trigger === 'update') seen.push(Object.assign({}, session));
          return token;
        },
      },
    });
    const { csrfToken } = (await app.browser.get('/auth/csrf')).json<{ csrfToken: string }>();
    // The literal makes an own member of it, as a JSON parser does.
    const evil = JSON.parse('{"__proto__":{"admin":true},"list":[{"__proto__":{"admin":true}}]}') as object;
    await app.browser.post('/auth/callback/credentials', { csrfToken, inner: evil }, { json: true });
    await app.browser.post('/auth/session', { csrfToken, data: evil }, { json: true });
    expect(seen).toHaveLength(2);
    for (const one of seen) {
      expect(one).not.toHaveProperty('admin');
      expect(one).toEqual({ list: [{}] });
      expect(Object.keys((one as { list: object[] }).list[0] ?? {})).toEqual([]);
    }
  });
});
