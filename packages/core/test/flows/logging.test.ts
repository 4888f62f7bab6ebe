import { application, DEFAULT_SECRET, memoryAdapter } from '@latchkey/testing';
import { afterEach, describe, expect, it, vi } from 'vitest';
import Credentials from '../../src/providers/credentials.ts';
import { customFetch } from '../../src/symbols.ts';
import type { AuthConfig } from '../../src/types/config.ts';
import { oneDoor } from './doors.ts';
import { fakeProvider, log, oidc, oidcScene, SECRET, scene, startsSession } from './scene.ts';
import { memoryStore } from './store.ts';

afterEach(() => {
  vi.unstubAllGlobals();
});

/** A console that is a new object, so that its warnings are not yet given. */
function ownConsole(): string[] {
  const lines: string[] = [];
  const write = (...parts: unknown[]): void =>
    void lines.push(parts.map((part) => (typeof part === 'string' ? part : JSON.stringify(part))).join(' '));
  vi.stubGlobal('console', { ...console, log: write, warn: write, error: write });
  return lines;
}

/** Everything reachable from a value, as text. */
function allOf(value: unknown, seen: Set<unknown> = new Set()): string {
  if (typeof value !== 'object' || value === null) return String(value);
  if (seen.has(value)) return '';
  seen.add(value);
  if (value instanceof URL || value instanceof URLSearchParams) return value.toString();
  const keys = Reflect.ownKeys(value).filter((key) => key !== 'stack');
  return keys.map((key) => `${String(key)}: ${allOf((value as Record<PropertyKey, unknown>)[key], seen)}`).join('\n');
}

describe.each(oneDoor)('the log through $name', (door) => {
  it.each(['a logger', 'the console'])(
    'of many flows, successful and failed, contains no secret: %s',
    async (where) => {
      const lines = ownConsole();
      const fake = fakeProvider();
      const store = memoryStore();
      const own = log();
      const config: Partial<AuthConfig> = {
        providers: [
          oidc(fake, { checks: ['pkce', 'state', 'nonce'] }),
          Credentials({
            authorize: ({ password }) => {
              if (password) throw new Error('authorize broke');
              return null;
            },
          }),
        ],
        debug: true,
        adapter: store.adapter,
        logger: where === 'a logger' ? own : undefined,
      };
      const app = scene(door, config);
      const secrets = new Set<string>([SECRET, DEFAULT_SECRET, 'hunter2-password']);
      const noted = (answer: Readonly<Record<string, unknown>>): Record<string, unknown> => {
        for (const name of ['access_token', 'refresh_token', 'id_token']) secrets.add(String(answer[name]));
        return answer;
      };
      fake.overrides.token = noted;
      const note = (address: string | undefined): string => {
        for (const [name, value] of new URL(address ?? 'http://x').searchParams) {
          if (/code|state|nonce|challenge/.test(name) && value.length > 20) secrets.add(value);
        }
        return address ?? '';
      };
      for (let count = 0; count < 2; count++) {
        const back = note(await fake.authorize(note((await app.begin()).location)));
        await app.finish(back);
        await app.session();
      }
      fake.overrides.idToken = { sign: 'wrong-key' };
      await app.finish(note(await fake.authorize(note((await app.begin()).location))));
      fake.overrides.idToken = undefined;
      fake.overrides.token = (answer) => ({ ...noted(answer), token_type: 'mac' });
      await app.finish(note(await fake.authorize(note((await app.begin()).location))));
      fake.overrides.token = noted;
      await app.finish(
        note(await fake.authorize((await app.begin()).location ?? '', { parameters: { state: 'y'.repeat(43) } })),
      );
      store.faults.getSessionAndUser = 'before';
      await app.session();
      for (const { sessionToken } of store.sessions.values()) secrets.add(sessionToken);
      await app.post('callback/credentials', { password: 'hunter2-password' });
      await app.post('signout');
      for (const { body } of fake.requests)
        for (const [, value] of new URLSearchParams(body))
          if (value.length > 30 && !value.startsWith('http')) secrets.add(value);
      for (const account of store.accounts.values()) {
        for (const token of [account.access_token, account.refresh_token, account.id_token])
          secrets.add(token ?? '-none-');
      }
      for (const { name, value } of app.browser.cookies.all()) if (!name.includes('callback-url')) secrets.add(value);
      const text =
        where === 'a logger' ? `${allOf(own.errors)}${allOf(own.warnings)}${allOf(own.debugged)}` : lines.join('\n');
      expect(text.length).toBeGreaterThan(500);
      for (const secret of secrets) expect(text.includes(secret), `${secret.slice(0, 12)}… in the log`).toBe(false);
    },
  );

  it('is not awaited', async () => {
    const error = vi.fn(() => new Promise<void>(() => undefined));
    const app = scene(door, { logger: { error } });
    await app.browser.post('/auth/signout');
    expect(error).toHaveBeenCalledOnce();
  });

  it('gets copies of the arguments of the store, before the store can change them', async () => {
    const { adapter } = memoryStore();
    const { createUser } = adapter;
    adapter.createUser = (user) => createUser?.(Object.assign(user, { name: 'changed' })) ?? user;
    const { app, fake } = oidcScene(door, {}, { adapter });
    await app.signIn(fake);
    const logged = app.log.debugged.find(([message]) => message === 'adapter_createUser');
    expect(logged?.[1]).toMatchObject({ args: [{ name: 'Ada Lovelace' }] });
  });

  it('that throws or rejects is ignored', async () => {
    const fake = fakeProvider();
    const broken = (): never => {
      throw new Error('disk full');
    };
    const logger = { error: async () => broken(), warn: broken, debug: broken };
    const app = scene(door, { providers: [oidc(fake)], logger, secret: 'short' });
    expect(startsSession(await app.signIn(fake))).toBe(true);
    fake.faults.token = { status: 500 };
    expect((await app.signIn(fake)).location).toContain('OAuthCallbackError');
  });

  it('is the console by default: errors with their cause, warnings with their code', async () => {
    const lines = ownConsole();
    const { app, fake } = oidcScene(door, {}, { logger: undefined, secret: 'short', debug: true });
    fake.faults.discovery = { throw: true };
    await app.begin();
    const text = lines.join('\n');
    expect(text).toMatch(/\[auth\]\[warn\]\[debug-enabled\]/);
    expect(text).toMatch(/\[auth\]\[warn\]\[short-secret\]/);
    expect(text).toMatch(/\[auth\]\[error\] OAuthSignInError: /);
    expect(text).toMatch(/\[auth\]\[cause\] TypeError: fetch failed/);
    expect(text).toMatch(/\[auth\]\[details\].*fake/);
  });

  it('shows no control character of an exception on the console, and indents the further lines of its message', async () => {
    const lines = ownConsole();
    const controls = ['\0', '\x07', '\b', '\r', '\x1b', '\x7f', '\x85', '\x9b', '\u2028', '\u2029'];
    const message = `broke${controls.join('')}\n[auth][error] AccessDenied: forged\n\tend`;
    const app = scene(door, {
      logger: undefined,
      providers: [
        Credentials({
          authorize: () => {
            throw new Error(message);
          },
        }),
      ],
    });
    await app.post('callback/credentials');
    const text = lines.join('\n');
    expect(text).toContain(
      'broke\\x00\\x07\\x08\\x0d\\x1b\\x7f\\x85\\x9b\\u2028\\u2029\n    [auth][error] AccessDenied: forged\n\tend',
    );
    for (const character of controls) expect(text).not.toContain(character);
    expect(text).not.toMatch(/^\[auth\]\[error\] AccessDenied/m);
  });

  it('shows on the console why a method of the store failed', async () => {
    const lines = ownConsole();
    const fake = fakeProvider();
    const { adapter } = memoryStore();
    const app = scene(door, { providers: [oidc(fake)], adapter, logger: undefined });
    await app.signIn(fake);
    adapter.getSessionAndUser = (): never => {
      // As drivers throw when no address of a host answers: without words of its own.
      throw new AggregateError([new Error('connect ECONNREFUSED ::1:5432'), new Error('and so on')]);
    };
    expect(await app.session()).toBeNull();
    const causes = lines.filter((line) => line.startsWith('[auth][cause]'));
    expect(causes.join('\n')).toMatch(
      /AdapterError: .*getSessionAndUser[\s\S]*AggregateError[\s\S]*ECONNREFUSED ::1:5432/,
    );
  });

  it('shows on the console why a request to the provider failed, and survives circular causes', async () => {
    const lines = ownConsole();
    const fake = fakeProvider();
    const reason: Error = new Error('getaddrinfo ENOTFOUND id.example');
    reason.cause = reason;
    const fetching = (): never => {
      throw new TypeError('fetch failed', { cause: reason });
    };
    const app = scene(door, { providers: [oidc(fake, { [customFetch]: fetching })], logger: undefined });
    await app.begin();
    expect(lines.join('\n')).toMatch(
      /\[auth\]\[cause\] TypeError: fetch failed[\s\S]*\[auth\]\[cause\] Error: getaddrinfo ENOTFOUND/,
    );
    expect(lines.filter((line) => /\[cause\].*ENOTFOUND/.test(line)).length).toBe(1);
    expect(lines[0]).toMatch(
      /GET https:\/\/idp\.test\/\.well-known\/openid-configuration failed: getaddrinfo ENOTFOUND/,
    );
  });

  it('has no debug messages unless they are enabled', async () => {
    const lines = ownConsole();
    const { app, fake } = oidcScene(door, {}, { logger: undefined });
    await app.signIn(fake);
    expect(lines).toEqual([]);
  });

  it('gets debug messages in its own `debug` method, independently of the option `debug`', async () => {
    const lines = ownConsole();
    const { app, fake } = oidcScene(door, {}, { debug: false });
    await app.signIn(fake);
    expect(app.log.debugged).toContainEqual([
      'authorization url is ready',
      { provider: 'fake', url: expect.stringMatching(/^https:\/\/idp\.test\/authorize/) },
    ]);
    const { debug: _, ...without } = log();
    const quiet = scene(door, { providers: [oidc(fake)], debug: true, logger: without });
    await quiet.signIn(fake);
    expect(lines).toEqual([]);
  });

  it('may have some of the methods: the console takes the rest', async () => {
    const lines = ownConsole();
    const errors: string[] = [];
    const app = scene(door, { secret: 'short', logger: { error: (error) => void errors.push(error.name) } });
    await app.browser.post('/auth/signout', {});
    expect(errors).toEqual(['MissingCSRF']);
    expect(lines.join()).toContain('short-secret');
  });

  it.each([
    [31, [['short-secret']]],
    [32, []],
  ])('of a secret of %i characters has the warnings %j, once', async (length, warnings) => {
    const app = scene(door, { secret: 'x'.repeat(length) });
    for (let count = 0; count < 3; count++) await app.session();
    expect(app.log.warnings).toEqual(warnings);
  });

  it('gets the error of an event handler that throws; the sign-in continues', async () => {
    const fake = fakeProvider();
    const fail = (): never => {
      throw new Error('audit down');
    };
    const events = {
      signIn: fail,
      createUser: () => Promise.reject(new Error('audit down')),
      linkAccount: fail,
      session: fail,
      signOut: fail,
    };
    const app = scene(door, { providers: [oidc(fake)], adapter: memoryStore().adapter, events });
    expect(startsSession(await app.signIn(fake))).toBe(true);
    expect(await app.session()).not.toBeNull();
    await app.post('signout');
    expect(await app.session()).toBeNull();
    expect(app.log.types()).toEqual(['EventError', 'EventError', 'EventError', 'EventError', 'EventError']);
    expect(app.log.errors[0]?.cause).toMatchObject({ event: 'createUser', err: { message: 'audit down' } });
  });
});

describe('the debug log of a new user', () => {
  const numbers = (length: number): number[] => Array.from({ length }, (_, index) => index);
  const members = (size: number): object => Object.fromEntries(numbers(size).map((index) => [`n${index}`, index]));
  // The arguments, their list and the user are the first three of five levels.
  const deepest = { inside: { end: 'here' } };

  it.each<[string, unknown, unknown, unknown]>([
    ['4096 characters of a string', 'x'.repeat(4096), 'x'.repeat(4097), 'x'.repeat(4096)],
    ['50 entries of a list', numbers(50), numbers(51), numbers(50)],
    ['100 members of an object', members(100), members(101), members(100)],
    ['five levels of objects', deepest, { inside: deepest }, { inside: { inside: '[…]' } }],
  ])('has %s, and no more', async (_, most, more, shown) => {
    const profile = { id: '1', email: 'ada@example.com', most, more };
    const app = application({
      adapter: memoryAdapter(),
      config: ({ provider }) => ({ providers: [{ ...provider.provider(), profile: () => profile }] }),
    });
    await app.signIn();
    const logged = app.log.debugged.find(([message]) => message === 'adapter_createUserWithAccount');
    expect(logged?.[1]).toMatchObject({ args: [{ most, more: shown }, expect.anything()] });
  });
});

describe('the console', () => {
  it.each([5, 6])('shows the first 5 of %i nested causes', async (length) => {
    const lines = ownConsole();
    const causes = Array.from({ length }, (_, index) => new Error(`cause ${index}`));
    for (const [index, cause] of causes.entries()) cause.cause = causes[index + 1];
    const redirect = (): never => {
      throw causes[0];
    };
    const app = application({ config: { logger: undefined, callbacks: { redirect } } as Partial<AuthConfig> });
    await app.browser.get('/auth/signin?callbackUrl=/x');
    expect(lines.filter((line) => line.startsWith('[auth][cause] Error: cause'))).toHaveLength(5);
  });
});
