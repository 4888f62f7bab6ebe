import { Auth } from '@latchkey/core';
import Credentials from '@latchkey/core/providers/credentials';
import { describe, expect, it } from 'vitest';
import { application } from '../src/application.ts';
import { Clock } from '../src/clock.ts';
import { FakeProvider } from '../src/fake-provider.ts';
import { memoryAdapter } from '../src/memory-adapter.ts';

describe('application', () => {
  it('signs a visitor in and out, and records the events', async () => {
    const app = application();
    expect(await app.session()).toBeNull();
    await app.signIn();
    expect(await app.session()).toMatchObject({ user: { email: 'ada@example.com' } });
    await app.signOut();
    expect(await app.session()).toBeNull();
    expect(app.events.map(([name]) => name)).toEqual(['signIn', 'session', 'signOut']);
    expect(app.log.types()).toEqual([]);
  });

  it('gives each visitor a browser of its own', async () => {
    const app = application({ adapter: memoryAdapter() });
    const other = app.visitor();
    const bob = { sub: 'bob', name: 'Bob', email: 'bob@example.com', email_verified: true };
    await app.signIn();
    await app.signIn({ browser: other, consent: { user: bob } });
    expect(await app.session()).toMatchObject({ user: { email: 'ada@example.com' } });
    expect(await app.session(other)).toMatchObject({ user: { email: 'bob@example.com' } });
    expect(app.adapter.dump().users).toHaveLength(2);
  });

  it('signs in by a mailed link if it has an adapter', async () => {
    const app = application({ adapter: memoryAdapter() });
    const link = await app.mailedLink('bob@example.com', { callbackUrl: '/in' });
    expect(app.mails).toMatchObject([{ identifier: 'bob@example.com', url: link }]);
    expect((await app.open(link)).redirect?.pathname).toBe('/in');
    expect(await app.session()).toMatchObject({ user: { email: 'bob@example.com' } });
  });

  it('says so if no mail was sent, or if no sign-in was started', async () => {
    const app = application();
    await expect(app.mailedLink('bob@example.com')).rejects.toThrow('no mail was sent');
    await expect(app.signIn({ id: 'unknown' })).rejects.toThrow('is not the authorization endpoint');
  });

  it('moves the clocks of application, browser and provider together', async () => {
    const clock = new Clock('2026-03-01T12:00:00Z');
    const app = application({ clock, config: { session: { maxAge: 60 } } });
    await app.signIn();
    expect((await app.session())?.expires).toBe('2026-03-01T12:01:00.000Z');
    clock.advance(61);
    expect(app.browser.cookies.has('authjs.session-token')).toBe(false);
    await app.signIn();
    expect((await app.session())?.expires).toBe('2026-03-01T12:02:01.000Z');
  });

  it('takes a configuration, and the callbacks of its events are called, too', async () => {
    const users: unknown[] = [];
    const provider = new FakeProvider({ signingAlgorithm: 'ES256' });
    const app = application({
      provider,
      adapter: memoryAdapter(),
      config: ({ mail, provider: same }) => ({
        basePath: '/login',
        providers: [same.plainProvider({ id: 'plain' }), { ...mail, id: 'mail', maxAge: 60 }],
        events: { signIn: ({ user }) => void users.push(user.email) },
      }),
    });
    await app.signIn({ id: 'plain' });
    expect(users).toEqual(['ada@example.com']);
    expect(app.events.map(([name]) => name)).toContain('signIn');
    expect(provider.count('token')).toBe(1);
    expect(await app.mailedLink('bob@example.com')).toContain('/login/callback/mail');
  });

  it('records errors, by their types', async () => {
    const app = application({ config: { providers: [Credentials({ credentials: {}, authorize: () => null })] } });
    await app.post('callback/credentials');
    expect(app.log.types()).toEqual(['CredentialsSignin']);
    expect(app.log.errors[0]).toBeInstanceOf(Error);
  });

  it('asks another entry point, with the options of the call', async () => {
    const paths: string[] = [];
    const app = application({
      origin: 'https://app.test',
      call: { basePath: '/mounted' },
      handler: (request, config, call) => {
        paths.push(new URL(request.url).pathname);
        return Auth(request, config, call);
      },
    });
    await app.session();
    expect(paths).toEqual(['/mounted/session']);
    expect(app.browser.origin).toBe('https://app.test');
  });
});
