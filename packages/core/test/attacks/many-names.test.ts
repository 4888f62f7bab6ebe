import type { Page } from '@latchkey/testing';
import { describe, expect, it } from 'vitest';
import Credentials from '../../src/providers/credentials.ts';
import { processCounters } from '../../src/rate-limit/memory.ts';
import type { RateLimitStore } from '../../src/types.ts';
import { doors } from '../flows/doors.ts';
import { scene, startsSession } from '../flows/scene.ts';
import { type LimitedScene, limitedScene, times } from '../rate-limit/scene.ts';

/** Names of fields that are all `id` when `-` and `_` are left out. */
function fieldName(index: number): string {
  return `id${index.toString(2).replaceAll('0', '-').replaceAll('1', '_')}`;
}

async function postAll(app: LimitedScene, names: readonly string[], more: Record<string, unknown> = {}): Promise<Page> {
  const { csrfToken } = (await app.browser.get('/auth/csrf')).json<{ csrfToken: string }>();
  const fields = Object.fromEntries(names.map((name, index) => [fieldName(index), name]));
  return app.browser.post(
    '/auth/callback/credentials',
    { csrfToken, password: 'x', ...more, ...fields },
    { json: true },
  );
}

function countingStore(): RateLimitStore & { asked: number } {
  return {
    asked: 0,
    take() {
      this.asked++;
      return null;
    },
    release: () => undefined,
  };
}

describe('a form that names many people', () => {
  it('is refused before a user is counted or looked up, so it blocks no user', async () => {
    const app = limitedScene();
    const victims = times(5000, (index) => `victim ${index}`);
    for (let time = 0; time < 20; time++) expect((await postAll(app, victims)).status).toBe(400);
    expect([processCounters.size, app.asked.count]).toEqual([0, 0]);
    expect(startsSession(await app.attempt('victim 7', 'right', app.visitor()))).toBe(true);
  });

  it('does not push out what the process has counted', async () => {
    const app = limitedScene();
    await app.fail(20);
    await postAll(
      app,
      times(5000, (index) => `${index}`),
    );
    expect(processCounters.size).toBe(1);
    expect(await app.fail(1)).toEqual([429]);
  });

  it('does not ask the store, nor the network’s counter', async () => {
    const store = countingStore();
    const app = limitedScene({ store }, {}, { call: { clientAddress: '203.0.113.9' } });
    expect(
      (
        await postAll(
          app,
          times(5000, (index) => `${index}`),
        )
      ).status,
    ).toBe(400);
    expect(store.asked).toBe(0);
    await app.fail(1);
    expect(store.asked).toBe(2);
  });

  it('is refused from five on; the log says what helps where it was a form of the application', async () => {
    const app = limitedScene();
    expect((await postAll(app, ['a', 'b', 'c', 'd'])).status).toBe(302);
    const page = await postAll(app, ['a', 'b', 'c', 'd', 'e']);
    expect([page.status, page.headers.get('location'), startsSession(page)]).toEqual([400, null, false]);
    expect(app.log.errors.at(-1)?.message).toContain('rateLimit.credentials.identifier');
  });

  it('is refused also with the right password', async () => {
    const app = limitedScene();
    const page = await postAll(app, ['a', 'b', 'c', 'd'], { username: 'ada', password: 'right' });
    expect([page.status, startsSession(page), app.asked.count]).toEqual([400, false, 0]);
  });

  it('is taken where no names are counted, and where the application says which', async () => {
    const six = times(6, (index) => `${index}`);
    for (const rateLimit of [false, { credentials: false }, { credentials: { identifier: () => 'ada' } }] as const)
      expect((await postAll(limitedScene(rateLimit), six)).status).toBe(302);
  });

  it('is taken where the provider has as many fields', async () => {
    const names = ['user', 'mail', 'phone', 'account', 'id', 'name'];
    const credentials = Object.fromEntries(names.map((name) => [name, {}]));
    const app = limitedScene(undefined, { providers: [Credentials({ credentials, authorize: () => null })] });
    const fields = Object.fromEntries(names.map((name, index) => [name, `1${index}`]));
    const statuses = [];
    for (let time = 0; time < 21; time++) statuses.push((await app.post('callback/credentials', fields)).status);
    expect(statuses).toEqual([...Array<number>(20).fill(302), 429]);
  });
});

describe.each(doors)('credentials that are refused, through $name', (door) => {
  it('get the same answer for a wrong name and for a wrong password', async () => {
    const passwords = new Map([['ada', 'right']]);
    const app = scene(door, {
      providers: [
        Credentials({
          authorize: ({ name, password }) => (passwords.get(String(name)) === password ? { id: String(name) } : null),
        }),
      ],
    });
    const seen = [];
    for (const name of ['ada', 'unknown']) {
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
