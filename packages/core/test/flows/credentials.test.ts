import { describe, expect, it } from 'vitest';
import { CredentialsSignin } from '../../src/errors.ts';
import Credentials from '../../src/providers/credentials.ts';
import type { AuthConfig } from '../../src/types/config.ts';
import { doors } from './doors.ts';
import {
  expectConfiguration,
  expectRefused,
  noting,
  type Scene,
  scene,
  sessionCookies,
  startsSession,
} from './scene.ts';

class Limited extends CredentialsSignin {
  override code = 'too&many\r\ntimes';
}

describe.each(doors)('credentials through $name', (door) => {
  function app(
    authorize: (credentials: Record<string, unknown>, request: Request) => unknown,
    more: Partial<AuthConfig> = {},
  ): Scene {
    return scene(door, { providers: [Credentials({ authorize: authorize as never })], ...more });
  }

  it('sign in a user that the application knows, and reach it exactly as typed', async () => {
    const seen: unknown[] = [];
    const site = app(async (credentials, request) => {
      seen.push(
        credentials,
        await request.json(),
        request.method,
        request.headers.get('content-type'),
        request.headers.get('x-mark'),
      );
      return { id: 7, name: 'Ada', email: 'ada@example.com' };
    });
    const { csrfToken } = (await site.browser.get('/auth/csrf')).json<{ csrfToken: string }>();
    const typed = { csrfToken, name: 'ada', password: '  p&ä+ %20 ' };
    const page = await site.browser.post('/auth/callback/credentials?password=query', typed, {
      headers: { 'x-mark': 'm' },
    });
    expect(startsSession(page)).toBe(true);
    expect(seen).toEqual([typed, typed, 'POST', 'application/json', 'm']);
    expect(await site.session()).toMatchObject({ user: { name: 'Ada', email: 'ada@example.com' } });
  });

  it('reach callbacks and events in their own shape', async () => {
    const seen: unknown[] = [];
    const site = app(() => ({ id: 7 }), {
      callbacks: {
        signIn: (params) => Boolean(seen.push(params)),
        jwt: (params) => (params.account ? noting(seen, params, params.token) : params.token),
      },
      events: { signIn: (message) => void seen.push(message) },
    });
    await site.post('callback/credentials', { name: 'x' });
    const account = { provider: 'credentials', type: 'credentials', providerAccountId: '7' };
    expect(seen).toEqual([
      { user: { id: '7' }, account, credentials: expect.objectContaining({ name: 'x' }) },
      { token: expect.objectContaining({ sub: '7' }), user: { id: '7' }, account, isNewUser: false, trigger: 'signIn' },
      { user: { id: '7' }, account },
    ]);
  });

  it.each<[what: string, result: unknown, named: string]>([
    ['true', true, 'a boolean'],
    ['a string', 'ada', 'a string'],
    ['a number', 7, 'a number'],
    ['an array', [{ id: '7' }], 'an array'],
    ['a function', () => ({ id: '7' }), 'a function'],
  ])('start no session if `authorize` returns %s, and the log names the mistake', async (_, result, named) => {
    const site = app(() => result);
    expectConfiguration(site, await site.post('callback/credentials', { name: 'ada' }));
    expect(site.log.errors[0]?.message).toContain(
      `"credentials" returned ${named}, which is not a user. Return an object`,
    );
    expect(site.log.errors[0]?.cause).toMatchObject({ provider: 'credentials' });
    expect(await site.session()).toBeNull();
  });

  it.each<[what: string, id: unknown]>([
    ['an object without a text of its own', { value: '7' }],
    ['a promise', Promise.resolve('7')],
    ['the text of a missing column', String(undefined)],
    ['the text of a null column', String(null)],
    ['no number', Number.NaN],
  ])('start no session if the id is %s: all users would share it', async (_, id) => {
    const site = app(() => ({ id, name: 'Ada' }));
    expectConfiguration(site, await site.post('callback/credentials', { name: 'ada' }));
    expect(site.log.errors[0]?.message).toContain('"credentials" returned a user whose `id` is not one');
    expect(site.log.errors[0]?.cause).toMatchObject({ provider: 'credentials' });
    expect(await site.session()).toBeNull();
  });

  it.each(['null-1', 'undefined-1', 'not undefined', '[object] 1'])(
    'sign in with an id that only resembles such a text: %s',
    async (id) => {
      const site = app(() => ({ id, name: 'Ada' }));
      await site.post('callback/credentials', { name: 'ada' });
      expect(await site.session()).toMatchObject({ user: { name: 'Ada' } });
    },
  );

  /** An object with a getter of its class, as object-relational mappers make it. */
  class Person {
    id: unknown;
    constructor(id: unknown) {
      this.id = id;
    }
    get name(): string {
      return `Person ${this.id}`;
    }
  }

  it.each(['7', 7, undefined])('sign in an object of a class whose id is %j, and give it an id', async (id) => {
    const seen: unknown[] = [];
    const person = new Person(id);
    const site = app(() => person, { events: { signIn: ({ user }) => void seen.push(user) } });
    await site.post('callback/credentials');
    expect(seen[0]).toBe(person);
    expect(person.id).toEqual(id === undefined ? expect.any(String) : '7');
    expect(await site.session()).toMatchObject({ user: { name: `Person ${person.id}` } });
  });

  it.each([
    ['a frozen object of a class', () => Object.freeze(new Person(7))],
    ['a model that refuses changes', () => new Proxy(new Person(7), { set: () => expect.unreachable() })],
    ['a model that ignores changes', () => new Proxy(new Person(7), { set: () => true })],
    ['a plain object', () => ({ id: 7 })],
    ['a plain object with a string as id', () => ({ id: '7' })],
  ])('sign in with a copy of %s', async (_, make) => {
    const seen: { user: object }[] = [];
    const user = make();
    const { id } = user;
    const site = app(() => user, { events: { signIn: (message) => void seen.push(message) } });
    await site.post('callback/credentials');
    expect(seen).toMatchObject([{ user: { id: '7' }, account: { providerAccountId: '7' } }]);
    expect(seen[0]?.user).not.toBe(user);
    expect(user.id).toBe(id);
  });

  it.each([null, undefined, false, 0, ''])('are refused when authorize returns %j', async (user) => {
    const site = app(() => user);
    expectRefused(
      site,
      await site.post('callback/credentials', { password: 'x' }),
      'CredentialsSignin&code=credentials',
    );
    expect(site.log.errors[0]?.message).toMatch(/^the credentials were refused/);
    expect(site.log.errors[0]?.cause).toMatchObject({ provider: 'credentials' });
  });

  it('are refused with the code of the application, encoded', async () => {
    const reason = new Limited('too many tries');
    const site = app(() => Promise.reject(reason));
    const page = await site.post('callback/credentials');
    expect(site.log.errors).toEqual([reason]);
    expect(page.redirect?.searchParams.get('code')).toBe('too&many\r\ntimes');
    expect(page.location).not.toMatch(/[\r\n]/);
    expect(page.setCookies.length).toBe(0);
  });

  it('are refused without a reason if authorize throws', async () => {
    const site = app(() => {
      throw new Error('the password was "hunter2"');
    });
    const page = await site.post('callback/credentials');
    expect(page.location).toMatch(/\/auth\/error\?error=Configuration/);
    expect((await site.browser.follow(page)).text()).not.toContain('hunter2');
    expect(site.log.types()).toEqual(['CallbackRouteError']);
    expect(site.log.errors[0]?.cause).toMatchObject({
      provider: 'credentials',
      err: { message: expect.stringContaining('hunter2') },
    });
    expect(sessionCookies(site.browser)).toEqual([]);
  });

  it('are refused without a CSRF token, and authorize is not called', async () => {
    const calls: unknown[] = [];
    const site = app(() => noting(calls, 1, { id: 'x' }));
    expectRefused(site, await site.browser.post('/auth/callback/credentials', { password: 'x' }), 'MissingCSRF');
    expect(calls).toEqual([]);
  });

  it('in JSON pollute nothing', async () => {
    const seen: Record<string, unknown>[] = [];
    const site = app((credentials) => noting(seen, credentials, null));
    const { csrfToken } = (await site.browser.get('/auth/csrf')).json<{ csrfToken: string }>();
    const body = `{"csrfToken":"${csrfToken}","__proto__":{"admin":true},"constructor":{"prototype":{"admin":true}}}`;
    await site.browser.open('/auth/callback/credentials', { body, headers: { 'content-type': 'application/json' } });
    expect(seen[0]?.admin).toBeUndefined();
    expect(({} as { admin?: boolean }).admin).toBeUndefined();
  });
});
