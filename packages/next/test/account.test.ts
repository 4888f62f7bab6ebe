import type { VisitorAccount } from '@latchkey/core/types';
import { FakeProvider, memoryAdapter } from '@latchkey/testing';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { configuration, site } from './site.ts';

/** The current request as Next provides it, with the cookies of a browser. */
const asking = vi.hoisted(() => ({ headers: new Headers(), jar: new Map<string, string>(), isWritable: true }));

vi.mock('next/cache.js', () => ({ io: async () => undefined }));

vi.mock('next/headers.js', () => ({
  headers: async () => asking.headers,
  cookies: async () => ({
    getAll: () => [...asking.jar].map(([name, value]) => ({ name, value })),
    set(cookie?: { name: string; value: string; maxAge?: number }) {
      if (!asking.isWritable) throw new Error('cookies can only be changed in an action');
      if (!cookie) throw new TypeError('no name');
      if (cookie.maxAge === 0) asking.jar.delete(cookie.name);
      else asking.jar.set(cookie.name, cookie.value);
    },
  }),
}));

/** A site with Ada in its store, who has signed in by password. */
async function signedIn(own = {}) {
  const adapter = memoryAdapter();
  await adapter.createUser({ id: '1', name: 'Ada', email: 'ada@example.com', emailVerified: null });
  await adapter.linkAccount({ userId: '1', provider: 'fake', providerAccountId: 'ada', type: 'oidc' });
  const result = site({
    adapter,
    session: { strategy: 'jwt' },
    providers: [...configuration().providers, new FakeProvider({ signingAlgorithm: 'ES256' }).provider()],
    account: { without: ['mails'], hasPassword: () => true },
    ...own,
  });
  await result.signIn('credentials', { password: 'password', redirect: false });
  return { ...result, adapter };
}

beforeEach(() => {
  asking.headers = new Headers({ host: 'localhost:3000', 'x-forwarded-proto': 'http' });
  asking.jar.clear();
  asking.isWritable = true;
});

describe('account', () => {
  it('is listed while a page is rendered, and changed in actions', async () => {
    const { account, auth, adapter } = await signedIn();
    asking.isWritable = false;
    const [way] = await account.list();
    expect(way).toMatchObject({ kind: 'oidc', provider: 'fake', isOnlyWay: false });
    asking.isWritable = true;
    expect(await account.unlink(String(way?.id))).toEqual({ count: 1 });
    await account.changeName('Countess');
    expect(await auth()).toMatchObject({ user: { name: 'Countess' } });
    expect(adapter.dump()).toMatchObject({ accounts: [], users: [{ name: 'Countess' }] });
    asking.jar.clear();
    expect(await account.list()).toEqual([]);
  });

  it('leads to a provider, as `signIn` does', async () => {
    const { account } = await signedIn();
    const url = await account.link('fake', { redirectTo: '/me', redirect: false });
    expect(new URL(url).pathname).toContain('authorize');
    expect([...asking.jar.keys()]).toContain('authjs.pkce.code_verifier');
    await expect(account.link('fake')).rejects.toMatchObject({ message: 'NEXT_REDIRECT' });
  });

  const changes: [name: string, change: (account: VisitorAccount) => Promise<unknown>][] = [
    ['unlink', (account) => account.unlink('x')],
    ['link', (account) => account.link('fake')],
    ['renamePasskey', (account) => account.renamePasskey('x', 'Phone')],
    ['changeName', (account) => account.changeName('New')],
  ];

  it.each(changes)(
    'is not changed by %s while a page is rendered, or for a form of another site',
    async (_, change) => {
      const { account, adapter } = await signedIn();
      const before = adapter.calls.length;
      asking.isWritable = false;
      await expect(change(account)).rejects.toMatchObject({ type: 'CookiesNotWritable' });
      asking.isWritable = true;
      asking.headers.set('origin', 'https://evil.test');
      await expect(change(account)).rejects.toMatchObject({ type: 'MissingCSRF' });
      expect(adapter.calls).toHaveLength(before);
    },
  );

  it('needs a recent sign-in, and says where', async () => {
    const { account } = await signedIn();
    asking.jar.clear();
    asking.headers.set('referer', 'http://localhost:3000/me');
    await expect(account.changeName('New')).rejects.toMatchObject({
      type: 'RecentSignInRequired',
      signInUrl: 'http://localhost:3000/api/auth/account/sign-in?callbackUrl=http%3A%2F%2Flocalhost%3A3000%2Fme',
    });
  });

  it('needs the option', async () => {
    const { account } = await signedIn({ account: false });
    await expect(account.list()).rejects.toThrow('need the option `account`');
  });
});
