import { describe, expect, it } from 'vitest';
import Credentials from '../../src/providers/credentials.ts';
import { doors } from '../flows/doors.ts';
import { scene } from '../flows/scene.ts';

describe.each(doors)('credentials that are refused, through $name', (door) => {
  it('are told the same, whether the name or the password is wrong', async () => {
    const passwords = new Map([['ada', 'right']]);
    const app = scene(door, {
      providers: [
        Credentials({
          authorize: ({ name, password }) => (passwords.get(String(name)) === password ? { id: String(name) } : null),
        }),
      ],
    });
    const seen = [];
    for (const name of ['ada', 'nobody']) {
      const browser = app.visitor();
      const page = await app.post('callback/credentials', { name, password: 'wrong' }, browser);
      const shown = await browser.follow(page);
      const cookies = page.setCookies.map((cookie) => cookie.name);
      seen.push([
        page.status,
        page.location,
        page.text(),
        cookies,
        shown.status,
        shown.text().replaceAll(/[\da-f]{64}/g, ''),
      ]);
    }
    expect(seen[0]).toEqual(seen[1]);
  });
});
