import { type Host, readSession, signIn, signOut, updateSession } from '@latchkey/core/binding';
import { describe, expect, it, vi } from 'vitest';
import { AuthError, CookiesNotWritable } from '../../src/errors.ts';
import Credentials from '../../src/providers/credentials.ts';
import { customFetch } from '../../src/symbols.ts';
import type { AuthConfig } from '../../src/types/config.ts';
import { mailStore } from '../flows/email-scene.ts';
import { fakeProvider, oidc } from '../flows/scene.ts';
import { storeWithAda, type Visitor, visitor } from './visitor.ts';

const right = { password: 'password' };

/** Every function that changes something. */
const writers: [name: string, call: (ada: Visitor, host: Host) => Promise<unknown>][] = [
  ['signIn by credentials', ({ configured }, host) => signIn(configured, host, 'credentials', right)],
  ['signOut', ({ configured }, host) => signOut(configured, host, {})],
  ['updateSession', ({ configured }, host) => updateSession(configured, host, { name: 'Countess' })],
];

describe('a host that cannot set cookies', () => {
  const ada = { id: '1', name: 'Ada', email: 'ada@example.com', emailVerified: null };

  it.each(writers)('%s throws before any change', async (_name, call) => {
    const store = storeWithAda();
    const authorize = vi.fn(() => ada);
    const session = vi.fn();
    const visit = visitor({ adapter: store.adapter, providers: [Credentials({ authorize })], callbacks: { session } });
    visit.jar.set('authjs.session-token', 'of-ada');
    await expect(call(visit, visit.readOnly())).rejects.toThrow(CookiesNotWritable);
    expect([authorize.mock.calls, session.mock.calls, store.names(), visit.log.types()]).toEqual([[], [], [], []]);
  });

  it('a sign-in requests no authorization and sends no mail', async () => {
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

  it.each(writers)('%s throws without a redirect when the framework refuses a cookie', async (_name, call) => {
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

describe('a configuration', () => {
  const authorize = vi.fn(() => ({ id: '1' }));
  const wrong: [title: string, config: Partial<AuthConfig>][] = [
    ['has no secret', { secret: '' }],
    ['trusts no host', { trustHost: false }],
    ['has no adapter for its sessions', { session: { strategy: 'database' } }],
  ];
  const ofTheProvider: [title: string, config: Partial<AuthConfig>, remedy: RegExp][] = [
    [
      'has two providers of one id',
      { providers: [Credentials({ authorize }), Credentials({ authorize })] },
      /Give one of them another/,
    ],
    [
      'has an invalid endpoint URL',
      { providers: [{ id: 'credentials', name: 'X', type: 'oauth', token: 'x' }] },
      /must be an https URL/,
    ],
  ];

  describe.each(wrong)('that %s', (_title, config) => {
    it.each(writers)('makes %s throw without any other effect', async (_name, call) => {
      const ada = visitor({ providers: [Credentials({ authorize })], ...config });
      ada.jar.set('authjs.session-token', 'x');
      const error = await call(ada, ada.host()).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(AuthError);
      expect((error as AuthError).message).toContain("server's sign-in configuration has a problem");
      const [problem] = ada.log.errors;
      expect((error as AuthError).message).toContain(problem?.message);
      expect((error as AuthError).cause).toMatchObject({ problems: [problem], err: problem });
      expect([authorize.mock.calls, ada.set]).toEqual([[], []]);
      expect(ada.log.errors[0]?.cause?.reference).toMatch(/^[\da-f]{8}$/);
    });
  });

  it.each(wrong)('that %s makes a session read fail, and the error tells why', async (_title, config) => {
    const ada = visitor(config);
    const error = await ada.session().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(AuthError);
    expect((error as AuthError).message).toContain(ada.log.errors[0]?.message);
    expect(ada.set).toEqual([]);
  });

  it.each(ofTheProvider)('that %s refuses a sign-in with this provider only', async (_title, config, remedy) => {
    const ada = visitor({ ...config });
    const options = { ...right, redirect: false };
    await expect(signIn(ada.configured, ada.host(), 'credentials', options)).rejects.toThrow(remedy);
    expect([authorize.mock.calls, ada.set]).toEqual([[], []]);
    expect(await ada.session()).toBeNull();
    expect(await updateSession(ada.configured, ada.host(), {})).toBeNull();
    expect(await signOut(ada.configured, ada.host(), { redirect: false })).toHaveProperty('redirect');
  });

  it('that has an entry which is not a provider signs in with the others', async () => {
    const good = Credentials({ authorize: () => ({ id: '1', name: 'Ada' }) });
    const ada = visitor({
      providers: [undefined as never, (options: { a: { b: string } }) => ({ id: options.a.b }), good] as never,
    });
    await signIn(ada.configured, ada.host(), 'credentials', { ...right, redirect: false });
    expect(await ada.session()).toMatchObject({ user: { name: 'Ada' } });
  });
});

describe('a failure that is not an AuthError', () => {
  it('is thrown, not returned as an address', async () => {
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

describe('a request without a host', () => {
  it.each(writers)('makes %s throw', async (_name, call) => {
    const ada = visitor();
    await expect(call(ada, ada.host({ origin: '' }))).rejects.toThrow(/AUTH_URL/);
    expect(ada.set).toEqual([]);
  });

  it('has a session only if the environment names the origin', async () => {
    await expect(visitor().session({ origin: '' })).rejects.toThrow(AuthError);
    const ada = visitor({}, { origin: 'https://example.com' });
    expect(await ada.session({ origin: '' })).toBe(null);
    const to = await signIn(ada.configured, ada.host({ origin: 'http://evil.test' }), undefined, { redirect: false });
    expect(to).toBe('https://example.com/auth/signin?callbackUrl=%2F');
  });

  it('with another protocol has cookies of that protocol', async () => {
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
