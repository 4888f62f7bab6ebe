import { describe, expect, it } from 'vitest';
import { handle } from '../../src/auth.ts';
import { settingsFor } from '../../src/config/settings.ts';
import type { Incoming } from '../../src/context.ts';
import { doors } from './doors.ts';
import { log, SECRET, scene } from './scene.ts';

describe.each(doors)('the content of a request, through $name', (door) => {
  it.each(['PUT', 'DELETE', 'PATCH'])('is not read if the method is %s', async (method) => {
    const app = scene(door, {});
    const page = await app.browser.open('/auth/signout', {
      method,
      body: 'x'.repeat(300_000),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(page.status).toBe(400);
    expect(app.log.debugged).toContainEqual([
      'bad request',
      { reason: expect.stringContaining('only GET and POST are supported'), method },
    ]);
    expect(app.log.errors).toEqual([]);
  });
});

describe('the body of a GET', () => {
  it('is never read: some clients send one', async () => {
    const own = log();
    let reads = 0;
    const incoming: Incoming = {
      method: 'GET',
      url: 'http://localhost:3000/auth/signin',
      header: (name) => (name === 'content-type' ? 'application/x-www-form-urlencoded' : undefined),
      headers: () => new Headers(),
      body: async () => {
        reads += 1;
        return new TextEncoder().encode('callbackUrl=/from-the-body');
      },
    };
    const settings = settingsFor({ providers: [], secret: SECRET, trustHost: true, logger: own });
    const { cookies = [] } = await handle(incoming, settings);
    expect(cookies.find(({ name }) => name === 'authjs.callback-url')?.value).toBe('http://localhost:3000');
    expect(reads).toBe(0);
  });
});
