import { type Host, readSession, signIn, signOut, updateSession } from '@latchkey/core/binding';
import { describe, expect, it, vi } from 'vitest';
import { AuthError, CookiesNotWritable } from '../../src/errors.ts';
import Credentials from '../../src/providers/credentials.ts';
import { customFetch } from '../../src/symbols.ts';
import type { AuthConfig } from '../../src/types.ts';
import { mailStore } from '../flows/email-scene.ts';
import { fakeProvider, oidc } from '../flows/scene.ts';
import { memoryStore } from '../flows/store.ts';
import { type Visitor, visitor } from './visitor.ts';

const right = { password: 'password' };

/** Every function that changes something. */
const writers: [name: string, call: (ada: Visitor, host: Host) => Promise<unknown>][] = [
  ['signIn by credentials', ({ configured }, host) => signIn(configured, host, 'credentials', right)],
  ['signOut', ({ configured }, host) => signOut(configured, host, {})],
  ['updateSession', ({ configured }, host) => updateSession(configured, host, { name: 'Countess' })],
];

describe('where cookies cannot be set', () => {
  const ada = { id: '1', name: 'Ada', email: 'ada@example.com', emailVerified: null };
  const stored = () => {
    const store = memoryStore();
    store.users.set('1', ada);
    return store;
  };

  it.each(writers)('%s throws before anything is done', async (_name, call) => {
    const store = stored();
    const authorize = vi.fn(() => ada);
    const session = vi.fn();
    const visit = visitor({ adapter: store.adapter, providers: [Credentials({ authorize })], callbacks: { session } });
    visit.jar.set('authjs.session-token', 'of-ada');
    await expect(call(visit, visit.readOnly())).rejects.toThrow(CookiesNotWritable);
    expect([authorize.mock.calls, session.mock.calls, store.names(), visit.log.types()]).toEqual([[], [], [], []]);
  });

  it('no authorization is asked for, and no mail is sent', async () => {
    const fake = fakeProvider();
    const fetched = vi.fn(fake.fetch);
    const sendVerificationRequest = vi.fn();
    const store = mailStore();
    const mail = { id: 'mail', name: 'Mail', type: 'email' as const, sendVerificationRequest };
    const visit = visitor({ providers: [mail, oidc(fake, { [customFetch]: fetched })], adapter: store.adapter });
    for (const id of ['mail', 'fake'])
      await expect(signIn(visit.configured, visit.readOnly(), id, { email: ada.email })).rejects.toThrow(
        CookiesNotWritable,
      );
    expect([fetched.mock.calls, sendVerificationRequest.mock.calls, store.calls]).toEqual([[], [], []]);
  });

  it.each(writers)('%s throws where only the framework knows it, and goes nowhere', async (_name, call) => {
    const visit = visitor();
    await signIn(visit.configured, visit.host(), 'credentials', { ...right, redirect: false });
    const redirect = vi.fn() as unknown as Host['redirect'];
    const setCookie = (): never => {
      throw new Error('Cookies can only be modified in a Server Action');
    };
    await expect(call(visit, visit.host({ setCookie, redirect }))).rejects.toMatchObject({
      type: 'CookiesNotWritable',
      cause: { err: { message: 'Cookies can only be modified in a Server Action' } },
    });
    expect(redirect).not.toHaveBeenCalled();
  });
});

describe('a configuration that is wrong', () => {
  const authorize = vi.fn(() => ({ id: '1' }));
  const wrong: [title: string, config: Partial<AuthConfig>][] = [
    ['has no secret', { secret: '' }],
    ['trusts no host', { trustHost: false }],
    ['has no adapter for its sessions', { session: { strategy: 'database' } }],
  ];
  const wrongProviders: typeof wrong = [
    ['names an entry that is no provider', { providers: [undefined as never, Credentials({ authorize })] }],
    ['has two providers of one id', { providers: [Credentials({ authorize }), Credentials({ authorize })] }],
    ['has an address that is none', { providers: [{ id: 'credentials', name: 'X', type: 'oauth', token: 'x' }] }],
  ];

  describe.each([...wrong, ...wrongProviders])('that %s', (_title, config) => {
    it.each(writers)('makes %s throw, and nothing else', async (_name, call) => {
      const ada = visitor({ providers: [Credentials({ authorize })], ...config });
      ada.jar.set('authjs.session-token', 'x');
      const error = await call(ada, ada.host()).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(AuthError);
      expect((error as AuthError).message).toContain("server's sign-in configuration has a problem");
      expect([authorize.mock.calls, ada.set]).toEqual([[], []]);
      expect(ada.log.errors[0]?.cause?.reference).toMatch(/^[\da-f]{8}$/);
    });
  });

  it.each(wrong)('that %s is no session', async (_title, config) => {
    const ada = visitor(config);
    await expect(ada.session()).rejects.toThrow(AuthError);
    expect(ada.set).toEqual([]);
  });
});

describe('a failure that has no class', () => {
  it('is thrown, not told as an address', async () => {
    const generateVerificationToken = (): never => {
      throw new TypeError('out of entropy');
    };
    const mail = { id: 'mail', name: 'Mail', type: 'email' as const, sendVerificationRequest: () => undefined };
    const ada = visitor({ providers: [{ ...mail, generateVerificationToken }], adapter: mailStore().adapter });
    const options = { email: 'ada@example.com', redirect: false };
    const error = await signIn(ada.configured, ada.host(), 'mail', options).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(AuthError);
    expect((error as AuthError).message).not.toContain('entropy');
    expect(ada.log.errors[0]?.cause?.err?.message).toBe('out of entropy');
  });
});

describe('a request that names no host', () => {
  it.each(writers)('makes %s throw', async (_name, call) => {
    const ada = visitor();
    await expect(call(ada, ada.host({ origin: '' }))).rejects.toThrow(/AUTH_URL/);
    expect(ada.set).toEqual([]);
  });

  it('has no session, unless the environment names one', async () => {
    await expect(visitor().session({ origin: '' })).rejects.toThrow(AuthError);
    const ada = visitor({}, { origin: 'https://example.com' });
    expect(await ada.session({ origin: '' })).toBe(null);
    const to = await signIn(ada.configured, ada.host({ origin: 'http://evil.test' }), undefined, { redirect: false });
    expect(to).toBe('https://example.com/auth/signin?callbackUrl=%2F');
  });

  it('is asked by its own address otherwise: the cookies follow its protocol', async () => {
    const ada = visitor();
    const host = ada.host({ origin: 'https://example.com' });
    await signIn(ada.configured, host, 'credentials', { ...right, redirect: false });
    expect([...ada.jar.keys()]).toContain('__Secure-authjs.session-token');
    expect(await ada.session()).toBe(null);
    expect(await readSession(ada.configured, visitOf(ada))).toMatchObject({ user: { name: 'Ada' } });
  });
});

function visitOf({ jar }: Visitor): Parameters<typeof readSession>[1] {
  return { origin: 'https://example.com', cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') };
}
