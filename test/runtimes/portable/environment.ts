import { setEnvDefaults } from '@latchkey/core';
import { decode, encode, getToken } from '@latchkey/core/jwt';
import type { AuthConfig } from '@latchkey/core/types';
import { application, cookieHeader, sessionCookies } from './application.ts';
import type { Cases } from './case.ts';
import { ada } from './credentials.ts';
import { equal, holds, matches } from './expect.ts';

export const environment: Cases = {
  'draws and asks for nothing while it is imported': async ({ atImport }) => {
    equal(atImport ?? [], []);
  },

  'uses the engine of this runtime': async ({ engine }) => {
    equal(await engineInUse(), engine);
  },

  'imports every provider': async () => {
    const all = await import('@latchkey/core/providers');
    equal(typeof all, 'object');
  },

  'takes the secret from the environment': async ({ env }) => {
    const config: AuthConfig = { providers: [ada] };
    setEnvDefaults(env, config);
    const secret = env['AUTH_SECRET'] ?? '';
    matches(secret, /^.{32,}$/, 'AUTH_SECRET');
    equal(config.secret, [secret]);
    const app = application(config);
    await app.post('callback/credentials', { password: 'engine' });
    const req = { headers: { cookie: cookieHeader(app) } };
    equal((await getToken({ req, secret }))?.name, 'Ada Lövelace');
    equal(await getToken({ req, secret: 'x'.repeat(32) }), null);
  },

  'does not work without a secret': async () => {
    const config: AuthConfig = { providers: [ada] };
    setEnvDefaults({}, config);
    const app = application(config);
    equal((await app.browser.get('/auth/signin')).status, 500);
    equal([sessionCookies(app), app.errors], [[], ['MissingSecret']]);
  },

  'tells no two visitors the same': async () => {
    const tokens = await Promise.all([1, 2].map(() => encode({ secret: 'x'.repeat(32), salt: 's', token: {} })));
    const [one, two] = await Promise.all(tokens.map((token) => decode({ token, secret: 'x'.repeat(32), salt: 's' })));
    holds(one?.jti !== undefined && one.jti !== two?.jti, 'each token has its own identity');
    holds(tokens[0]?.split('.')[2] !== tokens[1]?.split('.')[2], 'each token has its own initialization vector');
  },
};

/** Only the portable engine seals through WebCrypto. */
async function engineInUse(): Promise<'node' | 'web'> {
  const { subtle } = crypto;
  const counted = { calls: 0 };
  const encrypt = subtle.encrypt;
  const own = Object.hasOwn(subtle, 'encrypt');
  subtle.encrypt = (...args: Parameters<SubtleCrypto['encrypt']>) => {
    counted.calls += 1;
    return encrypt.apply(subtle, args);
  };
  try {
    await encode({ secret: 'x'.repeat(32), salt: 'engine', token: {} });
  } finally {
    if (own) subtle.encrypt = encrypt;
    else delete (subtle as Partial<SubtleCrypto>).encrypt;
  }
  return counted.calls > 0 ? 'web' : 'node';
}
