import { describe, expect, it } from 'vitest';
import Credentials from '../../src/providers/credentials.ts';
import { doors } from './doors.ts';
import { expectConfiguration, scene, sessionCookies } from './scene.ts';

describe.each(doors)('an `authorize()` that breaks, through $name', (door) => {
  it('signs nobody in, and is the owner’s to mend: the log has the reason and the provider', async () => {
    const authorize = (): never => {
      throw new TypeError('the database is down');
    };
    const app = scene(door, { providers: [Credentials({ authorize })] });
    expectConfiguration(app, await app.post('callback/credentials'));
    expect(sessionCookies(app.browser)).toEqual([]);
    expect(app.log.types()).toEqual(['CallbackRouteError']);
    expect(app.log.errors[0]?.cause).toMatchObject({ provider: 'credentials', err: expect.any(TypeError) });
  });
});
