import { afterEach, expect, it, vi } from 'vitest';
import { Auth } from '../../src/auth.ts';
import { withEnv } from '../../src/config/env.ts';
import { debugCategories } from '../../src/log/categories.ts';
import Credentials from '../../src/providers/credentials.ts';
import { SECRET } from './scene.ts';

afterEach(() => {
  vi.unstubAllGlobals();
});

const ALL = ['config', 'http', 'session', 'oauth', 'email', 'webauthn', 'store', 'limits'];

it.each([
  [{}, []],
  [{ AUTH_DEBUG: 'session, oauth' }, ['session', 'oauth']],
  [{ AUTH_DEBUG: 'nothing' }, []],
  [{ AUTH_DEBUG: 'true' }, ALL],
  [{ DEBUG: 'latchkey:*' }, ALL],
  [{ DEBUG: '*' }, ALL],
  [{ DEBUG: 'express:*,latchkey:store' }, ['store']],
  [{ DEBUG: 'latchkey:* -latchkey:store' }, ALL.filter((name) => name !== 'store')],
  [{ DEBUG: 'true' }, []],
  [{ DEBUG: '-latchkey:*', AUTH_DEBUG: 'http' }, ['http']],
])('%j switches on %j', (env, categories) => {
  expect(debugCategories(env)).toEqual(categories);
});

/** Reads a session without a cookie, and signs in with wrong credentials. Returns the lines on the console. */
async function linesOf(env: Record<string, string>): Promise<string[]> {
  const lines: string[] = [];
  const write = (...parts: unknown[]): void => void lines.push(parts.map((part) => JSON.stringify(part)).join(' '));
  vi.stubGlobal('console', { ...console, log: write, warn: write, error: write });
  const config = { providers: [Credentials({ authorize: () => null })] };
  const { config: own, call } = withEnv(config, { NODE_ENV: 'production', AUTH_URL: 'http://localhost', ...env });
  await Auth(new Request('http://localhost/auth/session'), own, call);
  const form = { method: 'POST', body: new URLSearchParams({ username: 'ada' }) };
  await Auth(new Request('http://localhost/auth/callback/credentials', form), own, { ...call, forms: 'host-checked' });
  return lines;
}

it('debug messages of the categories are on the console, and no others', async () => {
  const env = { AUTH_SECRET: SECRET };
  const refused = '"[auth][info] CredentialsSignin cause=credentials provider=credentials"';
  expect(await linesOf(env)).toEqual([refused]);
  expect(await linesOf({ ...env, AUTH_DEBUG: 'session,limits' })).toEqual([
    '"[auth][debug] session: no session" {"reason":"cookie-missing"}',
    '"[auth][debug] limits: an attempt was counted" {"provider":"credentials","by":"identifier","kind":"credentials"}',
    refused,
  ]);
});

it.each([
  [undefined, 'error CredentialsSignin'],
  [(error: Error) => `info ${error.name}`, 'info CredentialsSignin'],
])('an act of a visitor goes to `info` of a logger, or to `error`', async (info, expected) => {
  const told: string[] = [];
  const logger = {
    error: (error: Error) => void told.push(`error ${error.name}`),
    ...(info && { info: (error: Error) => void told.push(info(error)) }),
  };
  const config = { providers: [Credentials({ authorize: () => null })], secret: SECRET, trustHost: true, logger };
  const form = { method: 'POST', body: new URLSearchParams({ username: 'ada' }) };
  const request = new Request('http://localhost/auth/callback/credentials', form);
  await Auth(request, config, { forms: 'host-checked' });
  expect(told).toEqual([expected]);
});
