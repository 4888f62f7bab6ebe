import { memoryAdapter } from '@latchkey/testing';
import { describe, expect, it } from 'vitest';
import { explain } from '../../src/explain.ts';
import { encode } from '../../src/jwt.ts';
import type { AuthConfig } from '../../src/types/config.ts';
import { doors } from '../flows/doors.ts';
import { log, SECRET } from '../flows/scene.ts';

const NAME = 'authjs.session-token';
const ORIGIN = 'http://localhost:3000';
const DEVELOPMENT = { NODE_ENV: 'development', AUTH_SECRET: SECRET };
const call = { development: true };

const token = (claims: object = {}, maxAge = 600): Promise<string> =>
  encode({ token: { sub: 'ada', name: 'Ada', ...claims }, secret: SECRET, salt: NAME, maxAge });

/** A store with one session, whose row expires at this time. */
async function stored(expires: Date): Promise<AuthConfig['adapter']> {
  const adapter = memoryAdapter();
  const { id } = await adapter.createUser({ id: 'ada', email: 'ada@example.com', emailVerified: null });
  await adapter.createSession({ sessionToken: 'row', userId: id, expires });
  return adapter;
}

const failing = { ...memoryAdapter(), getSessionAndUser: (): never => fail() };
const fail = (): never => {
  throw new Error('provoked');
};
const large = 'x'.repeat(6000);

interface Case {
  readonly cookies: () => Promise<Record<string, string>> | Record<string, string>;
  readonly config?: () => Promise<Partial<AuthConfig>> | Partial<AuthConfig>;
  readonly facts?: Record<string, unknown>;
  /** The callbacks have to be called. */
  readonly runs?: true;
}

/** The chunks of a large token, without some of them. */
async function chunks(...without: number[]): Promise<Record<string, string>> {
  const text = await token({ large });
  const parts = text.match(/.{1,3936}/g) ?? [];
  const all = parts.map((part, index) => [`${NAME}.${index}`, part] as const);
  return Object.fromEntries(all.filter((_, index) => !without.includes(index)));
}

const cases: Readonly<Record<string, Case>> = {
  'cookie-missing': { cookies: () => ({ theme: 'dark' }), facts: { expected: NAME, cookies: 1 } },
  'cookie-prefix': {
    cookies: async () => ({ [`__Secure-${NAME}`]: await token() }),
    facts: { found: `__Secure-${NAME}`, expected: NAME },
  },
  'cookie-of-other-library': {
    cookies: () => ({ 'next-auth.session-token': 'x' }),
    facts: { found: 'next-auth.session-token', expected: NAME },
  },
  'cookie-incomplete': { cookies: () => chunks(0), facts: { found: `${NAME}.1`, missing: `${NAME}.0` } },
  'cookie-incomplete at its end': { cookies: () => chunks(2), facts: { missing: `${NAME}.2`, chunks: 2 } },
  'cookie-unreadable': {
    cookies: async () => ({ [NAME]: await encode({ token: {}, secret: `${SECRET}-another`, salt: NAME }) }),
    facts: { secrets: 1, chunks: 0 },
  },
  'strategy-mismatch': {
    cookies: () => ({ [NAME]: crypto.randomUUID() }),
    facts: { strategy: 'jwt', found: 'the token of a database session', characters: 36 },
  },
  'strategy-mismatch with a database': {
    cookies: async () => ({ [NAME]: await token() }),
    config: () => ({ adapter: memoryAdapter() }),
    facts: { strategy: 'database', found: 'the token of a JWT session' },
  },
  'token-expired': {
    cookies: async () => ({ [NAME]: await token({}, -100) }),
    facts: { secret: 1, secrets: 1, secondsAgo: expect.closeTo(100, -1) },
  },
  'row-missing': { cookies: () => ({ [NAME]: 'row' }), config: () => ({ adapter: memoryAdapter() }) },
  'row-expired': {
    cookies: () => ({ [NAME]: 'row' }),
    config: async () => ({ adapter: await stored(new Date(Date.now() - 1000)) }),
  },
  'store-failed': { cookies: () => ({ [NAME]: 'row' }), config: () => ({ adapter: failing }) },
  'jwt-callback-null': {
    cookies: async () => ({ [NAME]: await token() }),
    config: () => ({ callbacks: { jwt: () => null } }),
    runs: true,
  },
  'jwt-callback-threw': {
    cookies: async () => ({ [NAME]: await token() }),
    config: () => ({ callbacks: { jwt: fail } }),
    runs: true,
  },
  'session-callback-empty': {
    cookies: async () => ({ [NAME]: await token() }),
    config: () => ({ callbacks: { session: () => null as never } }),
    runs: true,
  },
  'session-callback-threw': {
    cookies: async () => ({ [NAME]: await token() }),
    config: () => ({ callbacks: { session: fail } }),
    runs: true,
  },
};
function requestWith(cookies: Record<string, string>, path = '/auth/session', init: RequestInit = {}): Request {
  const cookie = Object.entries(cookies)
    .map(([name, value]) => `${name}=${value}`)
    .join('; ');
  return new Request(ORIGIN + path, { ...init, headers: { cookie, ...init.headers } });
}

async function configOf({ config }: Case): Promise<AuthConfig> {
  return { providers: [], secret: SECRET, trustHost: true, logger: log(), ...(await config?.()) };
}

describe.each(doors)('a request without a session, through $name', (door) => {
  it.each(Object.entries(cases))('has the cause %s', async (name, one) => {
    const [cause] = name.split(' ');
    const config = await configOf(one);
    const cookies = await one.cookies();
    const result = await explain(requestWith(cookies), config, {
      env: DEVELOPMENT,
      callbacks: one.runs ? 'run' : undefined,
    });
    expect(result).toMatchObject({ outcome: 'no-session', cause, facts: one.facts ?? {} });
    expect(result.remedy).toMatch(/\.$/);
    const answer = await door.ask(requestWith(cookies), config, call);
    expect([answer.headers.get('latchkey-reason'), await answer.json()]).toEqual([cause, null]);
  });

  it('has no reason in its answer in production', async () => {
    const config = await configOf({ cookies: () => ({}) });
    const answer = await door.ask(requestWith({ [NAME]: 'x' }), config);
    expect([...answer.headers.keys()]).not.toContain('latchkey-reason');
  });
});

describe('explain()', () => {
  const config: AuthConfig = { providers: [], logger: log() };
  const ask = (path: string, env: Record<string, string>, prerendering = false) =>
    explain(new Request(ORIGIN + path), config, { env, prerendering });

  it('reports what comes before the cookie', async () => {
    expect(await ask('/auth/session', { NODE_ENV: 'development' })).toMatchObject({
      cause: 'configuration',
      facts: { type: 'MissingSecret', message: expect.stringContaining('AUTH_SECRET') },
    });
    const production = { ...DEVELOPMENT, NODE_ENV: 'production' };
    expect(await ask('/auth/session', production)).toMatchObject({
      cause: 'host-untrusted',
      facts: { host: 'localhost:3000' },
    });
    expect(await ask('/api/auth/session', DEVELOPMENT)).toMatchObject({
      cause: 'base-path',
      facts: { path: '/api/auth/session', basePath: '/auth' },
    });
    expect(await ask('/', DEVELOPMENT, true)).toMatchObject({ outcome: 'no-session', cause: 'prerendering' });
  });

  it('finds a session, and says which secret opens it', async () => {
    const result = await explain(requestWith({ [NAME]: await token() }, '/any/page'), config, {
      env: { ...DEVELOPMENT, AUTH_SECRET_1: `${SECRET}-newer` },
    });
    expect(result).toMatchObject({ outcome: 'session', facts: {} });
    expect(result.cause).toBeUndefined();
    expect(result.steps.join('\n')).toContain('opened by secret 2 of 2');
  });

  it('has no effect: no callback, event, row or cookie', async () => {
    const calls: string[] = [];
    const note = (name: string) => (): never => {
      calls.push(name);
      throw new Error(name);
    };
    const adapter = await stored(new Date(Date.now() - 1000));
    const own = new Proxy(adapter as object, {
      get: (target, name) => {
        if (/create|update|delete|extend|replace|spend|link/.test(String(name))) return note(String(name));
        return Reflect.get(target, name);
      },
    }) as AuthConfig['adapter'];
    const callbacks = { jwt: note('jwt'), session: note('session'), redirect: note('redirect') };
    const events = { session: note('event') };
    const result = await explain(
      requestWith({ [NAME]: 'row' }),
      { ...config, adapter: own, callbacks, events },
      {
        env: DEVELOPMENT,
      },
    );
    expect(result.cause).toBe('row-expired');
    expect(calls).toEqual([]);
  });

  it('shows no value of a cookie, a token or a claim', async () => {
    const value = await token({ email: 'ada@example.com' }, -100);
    const result = await explain(requestWith({ [NAME]: value, other: 'hidden-value' }), config, { env: DEVELOPMENT });
    const text = JSON.stringify(result);
    for (const secret of [value, 'ada', 'Ada', 'hidden-value', SECRET]) expect(text).not.toContain(secret);
  });

  it('never throws, and does not use the body up', async () => {
    const request = new Request(`${ORIGIN}/auth/signout`, { method: 'POST', body: new URLSearchParams({ a: '1' }) });
    await explain(request, config, { env: DEVELOPMENT });
    expect(await request.text()).toBe('a=1');
    const broken = {
      get providers(): never {
        throw new Error('broken');
      },
    } as unknown as AuthConfig;
    await expect(explain(new Request(ORIGIN), broken, { env: DEVELOPMENT })).resolves.toMatchObject({
      cause: 'configuration',
    });
  });
});
