import { describe, expect, it } from 'vitest';
import { doors } from '../flows/doors.ts';
import { scene } from '../flows/scene.ts';

const NAME = 'authjs.session-token';
/** So many chunks fit into a header that is read. */
const names = Array.from({ length: 2000 }, (_, index) => `${NAME}.${index}`);

describe.each(doors)(
  'two thousand chunks of nothing, in a header that is short enough to be read, through $name',
  (door) => {
    it.each([
      ['the session is read', 'GET', 'session'],
      ['signing out', 'POST', 'signout'],
    ] as const)('%s: at most those are cleared that could be ours', async (_, method, action) => {
      const app = scene(door, {});
      const { csrfToken } = (await app.browser.get('/auth/csrf')).json<{ csrfToken: string }>();
      const csrf = app.browser.cookies.get('authjs.csrf-token')?.value ?? '';
      const cookie = [`authjs.csrf-token=${csrf}`, ...names.map((name) => `${name}=x`)].join('; ');
      expect(cookie.length).toBeLessThan(64 * 1024);
      const body = method === 'POST' ? { body: new URLSearchParams({ csrfToken }) } : {};
      const page = await app.browser.open(`/auth/${action}`, { ...body, headers: { cookie } });
      const cleared = page.setCookies.filter(({ name }) => name.startsWith(NAME));
      expect(cleared.map(({ name }) => name)).toEqual(names.slice(0, 20));
      expect(cleared.every(({ value, maxAge }) => value === '' && maxAge === 0)).toBe(true);
    });
  },
);
