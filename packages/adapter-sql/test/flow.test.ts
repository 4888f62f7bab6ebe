import { DatabaseSync } from 'node:sqlite';
import { Auth, customFetch } from '@latchkey/core';
import type { AuthConfig } from '@latchkey/core/types';
import { Browser, DEFAULT_SECRET, FakeProvider } from '@latchkey/testing';
import { describe, expect, it } from 'vitest';
import { SqlAdapter } from '../src/index.ts';
import { counts, rows } from './database.ts';
import { watched } from './watched.ts';

function application() {
  const memory = new DatabaseSync(':memory:');
  const { db, statements } = watched(memory);
  const fake = new FakeProvider({ signingAlgorithm: 'ES256' });
  const errors: Error[] = [];
  const config: AuthConfig = {
    providers: [
      {
        id: 'fake',
        name: 'Fake',
        type: 'oidc',
        issuer: fake.issuer,
        clientId: 'client',
        clientSecret: DEFAULT_SECRET,
        [customFetch]: fake.fetch,
      },
    ],
    adapter: SqlAdapter(db),
    secret: 'a-secret-for-tests-of-more-than-32-characters',
    trustHost: true,
    logger: { error: (error) => errors.push(error) },
  };
  const visitor = (): Browser => new Browser((request) => Auth(request, config));
  const post = async (browser: Browser, path: string) => {
    const { csrfToken } = (await browser.get('/auth/csrf')).json<{ csrfToken: string }>();
    return browser.post(`/auth/${path}`, { csrfToken });
  };
  const signIn = async (browser: Browser): Promise<void> => {
    const started = await post(browser, 'signin/fake');
    await browser.get(await fake.authorize(started.location ?? ''), { site: 'cross-site' });
  };
  const session = async (browser: Browser) => (await browser.get('/auth/session')).json<object | null>();
  return { memory, statements, errors, visitor, post, signIn, session };
}

describe('an application on SQLite', () => {
  it('signs in, shows the session, and signs out', async () => {
    const { memory, errors, visitor, post, signIn, session } = application();
    const browser = visitor();
    await signIn(browser);
    expect(await session(browser)).toMatchObject({ user: { email: 'ada@example.com' } });
    expect(counts(memory)).toEqual({
      auth_users: 1,
      auth_accounts: 1,
      auth_users_accounts: 1,
      auth_sessions: 1,
      auth_users_sessions: 1,
      // The state of the sign-in, which is answered once.
      auth_verificationTokens: 1,
    });
    await post(browser, 'signout');
    expect(await session(browser)).toBeNull();
    expect(counts(memory)).toEqual({
      auth_users: 1,
      auth_accounts: 1,
      auth_users_accounts: 1,
      auth_verificationTokens: 1,
    });
    expect(errors).toEqual([]);
  });

  it('needs few statements', async () => {
    const { statements, visitor, signIn, session } = application();
    const [first, second] = [visitor(), visitor()];
    await session(first);
    await signIn(first);
    // Those of the migration come first.
    const created = statements().filter((sql) => !/pragma_|^(create|alter) /.test(sql));
    expect(created.length, created.join('\n')).toBeLessThanOrEqual(9);
    await signIn(second);
    const returning = statements();
    expect(returning.length, returning.join('\n')).toBeLessThanOrEqual(6);
    await session(second);
    expect(statements()).toHaveLength(1);
  });

  it('makes one user and one account of fifty first sign-ins at once', async () => {
    const { memory, visitor, signIn, session } = application();
    const browsers = Array.from({ length: 50 }, visitor);
    await Promise.all(browsers.map(signIn));
    const sessions = await Promise.all(browsers.map(session));
    expect(sessions.filter((one) => one === null)).toEqual([]);
    expect(counts(memory)).toMatchObject({ auth_users: 1, auth_accounts: 1, auth_sessions: 50 });
    expect(rows(memory, 'select distinct user from auth_sessions')).toEqual(
      rows(memory, 'select id as user from auth_users'),
    );
  });
});
