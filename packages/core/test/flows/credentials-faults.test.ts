import { describe, expect, it } from 'vitest';
import { CredentialsSignin } from '../../src/errors.ts';
import Credentials from '../../src/providers/credentials.ts';
import { doors } from './doors.ts';
import { expectConfiguration, expectRefused, scene, sessionCookies } from './scene.ts';

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

  it('or finds nobody is told apart in the log', async () => {
    const app = scene(door, { providers: [Credentials({ authorize: () => null })] });
    expectRefused(app, await app.post('callback/credentials'), 'CredentialsSignin&code=credentials');
    expect(app.log.errors[0]?.message).toMatch(/^the credentials were refused/);
    expect(app.log.errors[0]?.cause).toMatchObject({ provider: 'credentials' });
  });

  it('with an error of ours has that shown, and logged as it is', async () => {
    class Locked extends CredentialsSignin {
      override code = 'locked';
    }
    const reason = new Locked('too many tries');
    const authorize = (): never => {
      throw reason;
    };
    const app = scene(door, { providers: [Credentials({ authorize })] });
    expectRefused(app, await app.post('callback/credentials'), 'CredentialsSignin&code=locked');
    expect(app.log.errors).toEqual([reason]);
  });
});
