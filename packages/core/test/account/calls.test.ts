import { accountsOf } from '@latchkey/core/account';
import { accountOfRequest, accountOfVisitor, type Host } from '@latchkey/core/binding';
import {
  CookiesNotWritable,
  InvalidProvider,
  LastWayIn,
  MissingCSRF,
  RateLimited,
  RecentSignInRequired,
  Verification,
} from '@latchkey/core/errors';
import type { AuthConfig, MailOptions, VisitorAccount } from '@latchkey/core/types';
import { FakeProvider, memoryAdapter } from '@latchkey/testing';
import { describe, expect, it } from 'vitest';
import { signedIn as signedInWith, type Visitor, visitor } from '../binding/visitor.ts';

const accountFor = (visit: Visitor, own: Partial<Host> = {}): VisitorAccount =>
  accountOfVisitor(() => ({ configured: visit.configured, host: visit.host(own) }));

/** A visitor who has signed in by password as a user of the store, with an account at the provider `old`. */
async function signedIn(
  hasPassword = true,
  mail?: MailOptions,
  other?: AuthConfig['providers'][number],
): Promise<{ visit: Visitor; adapter: ReturnType<typeof memoryAdapter> }> {
  const adapter = memoryAdapter();
  const provider = new FakeProvider({ signingAlgorithm: 'ES256' });
  await adapter.createUser({ id: '1', name: 'Ada', email: 'ada@example.com', emailVerified: null });
  await adapter.linkAccount({ userId: '1', provider: 'old', providerAccountId: 'ada', type: 'oidc', label: 'ada@old' });
  const [credentials] = visitor().configured.config.providers;
  if (!credentials) throw new Error('visitors sign in by password');
  const visit = await signedInWith({
    adapter,
    session: { strategy: 'jwt' },
    mail,
    providers: [
      credentials,
      provider.provider({ id: 'old' }),
      provider.provider({ id: 'new' }),
      ...(other ? [other] : []),
    ],
    account: { without: ['mails'], hasPassword: () => hasPassword },
  });
  return { visit, adapter };
}

describe('the account of a visitor', () => {
  it('is listed where cookies cannot be set, too', async () => {
    const { visit } = await signedIn();
    const ways = await accountFor(visit, { setCookie: undefined }).list();
    expect(ways).toEqual([
      { id: expect.any(String), kind: 'oidc', provider: 'old', label: 'ada@old', isOnlyWay: false },
      { id: 'password', kind: 'credentials', provider: 'credentials', isOnlyWay: false },
    ]);
    expect(await accountFor(visitor(visit.configured.config)).list()).toEqual([]);
    expect(visit.set).toEqual([]);
  });

  it('loses a way, and keeps the last one', async () => {
    const { visit, adapter } = await signedIn();
    const [way] = await accountFor(visit).list();
    expect(await accountFor(visit).unlink('unknown')).toEqual({ count: 0 });
    expect(await accountFor(visit).unlink(String(way?.id))).toEqual({ count: 1 });
    expect(adapter.dump().accounts).toEqual([]);
    const { visit: other } = await signedIn(false);
    const [only] = await accountFor(other).list();
    await expect(accountFor(other).unlink(String(only?.id))).rejects.toThrow(LastWayIn);
  });

  it('gets another name, also in the session', async () => {
    const { visit } = await signedIn();
    await accountFor(visit).changeName('Countess');
    expect(await visit.session()).toMatchObject({ user: { name: 'Countess' } });
    await expect(accountFor(visit).changeName('x'.repeat(101))).rejects.toMatchObject({ cause: { status: 400 } });
  });

  it('gets another address with the code of a mail, in the browser that asked', async () => {
    const sent: string[] = [];
    const { visit, adapter } = await signedIn(true, { send: async ({ text }) => void sent.push(text) });
    expect(await accountFor(visit).changeEmail('ada@example.com')).toEqual({ sent: false });
    expect(await accountFor(visit).changeEmail('new@example.com')).toEqual({ sent: true });
    const [code = ''] = /\b\d{4} \d{4}\b/.exec(sent[0] ?? '') ?? [];
    await expect(accountFor(visit).confirmEmail('letters')).rejects.toThrow(Verification);
    await accountFor(visit).confirmEmail(code);
    expect(adapter.dump().users).toMatchObject([{ email: 'new@example.com' }]);
    expect(await visit.session()).toMatchObject({ user: { email: 'new@example.com' } });
    await expect(accountFor(visit).changeEmail('nobody')).rejects.toMatchObject({ cause: { status: 400 } });
  });

  it('is exported, and deleted, which signs the visitor out', async () => {
    const { visit, adapter } = await signedIn();
    expect(await accountFor(visit).export()).toMatchObject({
      user: { id: '1', email: 'ada@example.com' },
      accounts: [{ provider: 'old', providerAccountId: 'ada', label: 'ada@old' }],
    });
    await accountFor(visit).delete();
    expect(adapter.dump()).toMatchObject({ users: [], accounts: [] });
    expect(await visit.session()).toBeNull();
  });

  it('is not changed where cookies cannot be set, or if another site has sent the form', async () => {
    const { visit, adapter } = await signedIn();
    const before = adapter.calls.length;
    await expect(accountFor(visit, { setCookie: undefined }).changeName('New')).rejects.toThrow(CookiesNotWritable);
    const { headers } = visit.host();
    headers.set('origin', 'https://evil.test');
    await expect(accountFor(visit, { headers, forms: 'same-origin' }).changeName('New')).rejects.toThrow(MissingCSRF);
    expect(adapter.calls).toHaveLength(before);
  });

  it('is not changed after 10 minutes, and the error says where to sign in', async () => {
    const { visit } = await signedIn();
    visit.clock.advance(601);
    const { headers } = visit.host();
    headers.set('referer', 'http://localhost:3000/me');
    const error = await accountFor(visit, { headers })
      .changeName('New')
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(RecentSignInRequired);
    expect(error).toMatchObject({
      signInUrl: 'http://localhost:3000/auth/account/sign-in?callbackUrl=http%3A%2F%2Flocalhost%3A3000%2Fme',
    });
    await expect(accountFor(visitor(visit.configured.config)).unlink('x')).rejects.toThrow(RecentSignInRequired);
  });

  it('is changed 10 times in an hour', async () => {
    const { visit } = await signedIn();
    for (let count = 0; count < 10; count++) await accountFor(visit).changeName('New');
    await expect(accountFor(visit).changeName('Eleventh')).rejects.toThrow(RateLimited);
  });

  it('needs the option', async () => {
    const visit = visitor();
    for (const call of [accountFor(visit).list(), accountFor(visit).changeName('New')]) {
      await expect(call).rejects.toThrow('need the option `account`');
    }
  });
});

describe('account.link', () => {
  it('leads to the provider, and from there back to the page that the call names', async () => {
    const { visit } = await signedIn();
    const url = await accountFor(visit).link('new', { redirectTo: '/me', redirect: false });
    expect(new URL(url).pathname).toMatch(/authorize/);
    expect(visit.set.map(({ name }) => name)).toContain('authjs.pkce.code_verifier');
    await expect(accountFor(visit).link('new')).rejects.toMatchObject({ url: expect.stringMatching(/authorize/) });
    const onRequest = accountOfRequest(() => ({ configured: visit.configured, host: visit.host() }));
    expect(await onRequest.link('new', { redirectTo: '/me' })).toMatch(/authorize/);
  });

  it('adds an account of a plain OAuth provider, also if the visitor needs more than 10 minutes there', async () => {
    const plain = new FakeProvider({ oidc: false, issuer: 'https://plain.test' });
    const { visit, adapter } = await signedIn(true, undefined, plain.plainProvider({ id: 'plain' }));
    const url = await accountFor(visit).link('plain', { redirectTo: '/me', redirect: false });
    visit.clock.advance(700);
    const back = await visit.open(await plain.authorize(url, { user: { sub: 'ada-plain', name: 'Ada' } }));
    expect(back.headers.get('location')).toBe('http://localhost:3000/me');
    expect(adapter.dump().accounts.map(({ provider, userId }) => [provider, userId])).toEqual([
      ['old', '1'],
      ['plain', '1'],
    ]);
  });

  it.each(['credentials', 'unknown', ''])('refuses the provider "%s"', async (provider) => {
    const { visit } = await signedIn();
    await expect(accountFor(visit).link(provider, { redirect: false })).rejects.toThrow(InvalidProvider);
  });

  it('needs a recent sign-in', async () => {
    const { visit } = await signedIn();
    visit.clock.advance(601);
    await expect(accountFor(visit).link('new', { redirect: false })).rejects.toThrow(RecentSignInRequired);
    expect(visit.set).toEqual([]);
  });
});

describe('the accounts of all users', () => {
  it('are listed and changed without a visitor', async () => {
    const { visit, adapter } = await signedIn();
    const { list, unlink } = accountsOf(visit.configured.config, {});
    const [way] = await list('1');
    expect(way).toMatchObject({ provider: 'old', label: 'ada@old' });
    expect(await list('2')).toEqual([]);
    expect([await unlink('2', String(way?.id)), await unlink('1', 'unknown')]).toEqual([{ count: 0 }, { count: 0 }]);
    expect(await unlink('1', String(way?.id))).toEqual({ count: 1 });
    expect(adapter.dump().accounts).toEqual([]);
  });

  it('are deleted without a visitor, and a second time without an error', async () => {
    const { visit, adapter } = await signedIn();
    const accounts = accountsOf(visit.configured.config, {});
    await accounts.delete('2');
    expect(adapter.dump().users).toHaveLength(1);
    await accounts.delete('1');
    await accounts.delete('1');
    expect(adapter.dump().users).toEqual([]);
  });

  it('keep a last way', async () => {
    const { visit } = await signedIn(false);
    const { list, unlink } = accountsOf(visit.configured.config, {});
    await expect(unlink('1', String((await list('1'))[0]?.id))).rejects.toThrow(LastWayIn);
  });

  it('need the option and an adapter', () => {
    expect(() => accountsOf({ providers: [], adapter: memoryAdapter() }, {})).toThrow('`accountsOf` needs `account`');
    expect(() => accountsOf({ providers: [], account: true }, {})).toThrow('`accountsOf` needs `account`');
  });
});
