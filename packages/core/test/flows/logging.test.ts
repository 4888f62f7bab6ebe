import { DEFAULT_SECRET } from '@latchkey/testing';
import { afterEach, describe, expect, it, vi } from 'vitest';
import Credentials from '../../src/providers/credentials.ts';
import { customFetch } from '../../src/symbols.ts';
import type { AuthConfig } from '../../src/types.ts';
import { doors } from './doors.ts';
import { fakeProvider, log, oidc, SECRET, scene, startsSession } from './scene.ts';
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

describe.each(doors)('the log through $name', (door) => {
  it.each(['a logger', 'the console'])('of many flows, good and bad, has no secret in it: %s', async (where) => {
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

  it("is the console's where the application brings none: errors with their cause, warnings with their code", async () => {
    const lines = ownConsole();
    const fake = fakeProvider();
    const app = scene(door, { providers: [oidc(fake)], logger: undefined, secret: 'short', debug: true });
    fake.faults.discovery = { throw: true };
    await app.begin();
    const text = lines.join('\n');
    expect(text).toMatch(/\[auth\]\[warn\]\[debug-enabled\]/);
    expect(text).toMatch(/\[auth\]\[warn\]\[short-secret\]/);
    expect(text).toMatch(/\[auth\]\[error\] OAuthSignInError: /);
    expect(text).toMatch(/\[auth\]\[cause\] TypeError: fetch failed/);
    expect(text).toMatch(/\[auth\]\[details\].*fake/);
  });

  it("tells on the console why a store's method failed", async () => {
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

  it('tells on the console why a request to the provider failed, and survives causes that go in circles', async () => {
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
    expect(lines.filter((line) => line.includes('ENOTFOUND')).length).toBe(1);
  });

  it('is silent about debugging unless asked', async () => {
    const lines = ownConsole();
    const fake = fakeProvider();
    const app = scene(door, { providers: [oidc(fake)], logger: undefined });
    await app.signIn(fake);
    expect(lines).toEqual([]);
  });

  it('gets debug messages in its own `debug`, whatever `debug` says; and without one, none', async () => {
    const lines = ownConsole();
    const fake = fakeProvider();
    const app = scene(door, { providers: [oidc(fake)], debug: false });
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

  it('may be given in part: the console takes the rest', async () => {
    const lines = ownConsole();
    const errors: string[] = [];
    const app = scene(door, { secret: 'short', logger: { error: (error) => void errors.push(error.name) } });
    await app.browser.post('/auth/signout', {});
    expect(errors).toEqual(['MissingCSRF']);
    expect(lines.join()).toContain('short-secret');
  });

  it('is warned once, not with every request', async () => {
    const app = scene(door, { secret: 'short' });
    for (let count = 0; count < 3; count++) await app.session();
    expect(app.log.warnings).toEqual([['short-secret']]);
  });

  it('hears of an event that broke; the sign-in goes on', async () => {
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
