import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { handle } from '../../src/auth.ts';
import { isPromise } from '../../src/chain.ts';
import { settingsFor } from '../../src/config/settings.ts';
import { readRequest } from '../../src/entry/read.ts';
import { encode } from '../../src/jwt.ts';
import type { AuthConfig } from '../../src/types.ts';
import { log, SECRET } from './scene.ts';
import { memoryStore } from './store.ts';

const COOKIE = 'authjs.session-token';
const LINES = '../../src/config/console-log.ts';

function configOf(more: Partial<AuthConfig> = {}): AuthConfig {
  return { providers: [], trustHost: true, secret: SECRET, basePath: '/auth', ...more };
}

function request(path: string, init: RequestInit = {}): Request {
  return new Request(`http://localhost:3000/auth/${path}`, init);
}

const broken = (): Request => request('session', { headers: { cookie: `${COOKIE}=broken` } });

async function signedIn(token: Record<string, unknown> = {}): Promise<Request> {
  const value = await encode({ token: { name: 'Ada', ...token }, secret: SECRET, salt: COOKIE });
  return request('session', { headers: { cookie: `${COOKIE}=${value}` } });
}

describe('a session that is in order', () => {
  it('is answered without waiting for anything', async () => {
    const settings = settingsFor(configOf({ logger: log() }));
    const incoming = readRequest(await signedIn());
    // Who asks first finds keys and CSRF token to be made; that is done at once, too.
    expect(isPromise(handle(incoming, settings))).toBe(false);
  });

  it('is so from the second time on where there is something to be warned of', async () => {
    const own = log();
    const settings = settingsFor(configOf({ secret: 'short', logger: own }));
    await handle(readRequest(request('session')), settings);
    expect(isPromise(handle(readRequest(request('session')), settings))).toBe(false);
    expect(own.warnings).toEqual([['short-secret']]);
  });
});

describe("the application's own log", () => {
  it('is told at once, and once', () => {
    const own = log();
    const reply = handle(readRequest(broken()), settingsFor(configOf({ logger: own })));
    expect(own.types()).toEqual(['JWTSessionError']);
    expect(isPromise(reply)).toBe(false);
  });

  it('is not waited for', async () => {
    const error = vi.fn(() => new Promise<void>(() => undefined));
    const reply = await handle(readRequest(broken()), settingsFor(configOf({ logger: { error } })));
    expect(reply.body).toBeNull();
    expect(error).toHaveBeenCalledOnce();
  });

  it('that cannot be read says nothing, and breaks nothing', async () => {
    const own = log();
    const logger = { error: own.error, warn: own.warn };
    const settings = settingsFor(configOf({ secret: 'short', logger }));
    const unreadable = {
      get(): never {
        throw new Error('a log that is broken');
      },
    };
    Object.defineProperties(logger, { error: unreadable, warn: unreadable });
    expect((await handle(readRequest(broken()), settings)).body).toBeNull();
  });

  it('gets for debugging a copy of what there was', async () => {
    const own = log();
    const { adapter } = memoryStore();
    adapter.getUserByEmail = (address) => {
      own.debugged.push(['asked', address]);
      return null;
    };
    const store = await settingsFor(configOf({ adapter, logger: own })).store();
    const user = { id: '1', email: 'ada@example.com', emailVerified: null };
    adapter.createUser = (given) => Object.assign(given, { email: 'changed@example.com' });
    await store?.createUser?.(user);
    expect(own.debugged).toEqual([
      ['adapter_createUser', { args: [{ id: '1', email: 'ada@example.com', emailVerified: null }] }],
    ]);
    await store?.getUserByEmail?.('ada@example.com');
    expect(own.debugged.map(([message]) => message).slice(1)).toEqual(['adapter_getUserByEmail', 'asked']);
  });
});

describe('a line for the console', () => {
  const lines: string[] = [];

  beforeEach(() => {
    lines.length = 0;
    const write = (...parts: unknown[]): void => void lines.push(parts.join(' '));
    vi.stubGlobal('console', { ...console, log: write, warn: write, error: write });
    vi.resetModules();
  });

  afterEach(() => {
    vi.unstubAllGlobals();
    vi.doUnmock(LINES);
    vi.resetModules();
  });

  /** As after the start of a process, with a disk that takes its time. */
  async function freshAuth(): Promise<typeof import('../../src/index.ts')> {
    vi.doMock(LINES, async (original) => {
      await new Promise((resolve) => setTimeout(resolve, 30));
      return original();
    });
    return import('../../src/index.ts');
  }

  const fail = (): never => {
    throw new Error('out of order');
  };
  const post: RequestInit = { method: 'POST' };
  const { adapter } = memoryStore();
  const cookie = `${COOKIE}=11111111-1111-4111-8111-111111111111`;

  it.each<[what: string, line: string, asked: () => Request | Promise<Request>, config: Partial<AuthConfig>]>([
    ['a cookie that cannot be read', 'JWTSessionError', broken, {}],
    ['a callback that throws', 'JWTSessionError', signedIn, { callbacks: { jwt: fail } }],
    ['an event that throws', 'EventError', signedIn, { events: { session: fail } }],
    ['a token of many cookies', 'session-cookie-size', () => signedIn({ text: 'x'.repeat(14_000) }), {}],
    ['a short secret', 'short-secret', () => request('session'), { secret: 'short' }],
    ['an answer that cannot be written', 'AuthError', signedIn, { callbacks: { session: () => ({ n: 1n }) as never } }],
    ['a form without token', 'MissingCSRF', () => request('signout', post), {}],
    ['a return address that was refused', 'InvalidCallbackUrl', () => request('csrf?callbackUrl=/x'), { callbacks: { redirect: fail } }],
    ['a configuration that is wrong', 'MissingSecret', () => request('signin'), { secret: '' }],
    ['a store that is down', 'SessionTokenError', () => request('session', { headers: { cookie } }), { adapter: { ...adapter, getSessionAndUser: fail } }],
    ['a provider that is none', 'InvalidProvider', () => request('callback/nobody'), {}],
  ])('is written before the answer goes out: %s', async (_, line, asked, config) => {
    const { Auth } = await freshAuth();
    const all = configOf(config);
    const incoming = await asked();
    await Auth(incoming, all);
    expect(lines.filter((one) => one.includes(line)).length).toBeGreaterThan(0);
  }); // biome-ignore format: a table to be read across

  it('has at least the name of the error where the rest cannot be loaded', async () => {
    vi.doMock(LINES, fail);
    const { Auth } = await import('../../src/index.ts');
    const answer = await Auth(broken(), configOf());
    expect(await answer.json()).toBeNull();
    expect(lines).toEqual(['[auth][error] JWTSessionError. Its details could not be loaded']);
    const large = await Auth(await signedIn({ text: 'x'.repeat(14_000) }), configOf());
    expect(await large.json()).toMatchObject({ user: { name: 'Ada' } });
    expect(lines.slice(1)).toEqual([
      expect.stringMatching(/^\[auth\]\[warn\]\[session-cookie-size\] the session token/),
    ]);
  });

  it('is written as soon as the details can be loaded again', async () => {
    vi.doMock(LINES, fail);
    const { Auth } = await import('../../src/index.ts');
    await Auth(broken(), configOf());
    vi.doUnmock(LINES);
    await Auth(broken(), configOf());
    expect(lines.join('\n')).toMatch(/\[auth\]\[cause\] TokenError/);
  });
});
