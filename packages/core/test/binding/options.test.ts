import { type SignInOptions, signIn, signOut } from '@latchkey/core/binding';
import { describe, expect, it, vi } from 'vitest';
import Credentials from '../../src/providers/credentials.ts';
import { destination, form, Left, origin, startsSession, visitor } from './visitor.ts';

const right = { password: 'password' };

describe('redirect', () => {
  it.each<[string, SignInOptions]>([
    ['false', { ...right, redirect: false, redirectTo: '/in' }],
    ['the text of a form', form({ ...right, redirect: 'false', redirectTo: '/in' })],
  ])('as %s returns the address instead', async (_form, options) => {
    const ada = visitor();
    expect(await signIn(ada.configured, ada.host(), 'credentials', options)).toBe(`${origin}/in`);
    expect(startsSession(ada.set)).toBe(true);
    expect(await signIn(ada.configured, ada.host(), undefined, options)).toContain('/auth/signin?');
    expect(await signOut(ada.configured, ada.host(), options)).toMatchObject({ redirect: `${origin}/in` });
    expect(ada.jar.has('authjs.session-token')).toBe(false);
  });

  it.each<[string, SignInOptions]>([
    ['missing', right],
    ['undefined', { ...right, redirect: undefined }],
    ['true', { ...right, redirect: true }],
    ['the text of a form', form({ ...right, redirect: 'true' })],
  ])('%s lets the host go there', async (_form, options) => {
    const ada = visitor();
    await expect(signIn(ada.configured, ada.host(), 'credentials', options)).rejects.toThrow(Left);
    await expect(signOut(ada.configured, ada.host(), options)).rejects.toThrow(Left);
  });
});

describe('a form', () => {
  it('is read without files and the framework’s own fields', async () => {
    const authorize = vi.fn((_fields: object) => null);
    const ada = visitor({ providers: [Credentials({ authorize })] });
    const fields = form({
      $ACTION_REF_1: '',
      '$ACTION_1:0': '{}',
      $ACTION_KEY: 'k1',
      picture: new File(['x'], 'ada.png'),
      blob: new Blob(['x']),
      name: 'Ada',
      $price: '7',
    });
    fields.append('name', 'Countess');
    await expect(signIn(ada.configured, ada.host(), 'credentials', fields)).rejects.toThrow();
    expect(authorize.mock.calls[0]?.[0]).toEqual({ name: 'Countess', $price: '7', callbackUrl: '/' });
  });

  it('sets no prototype', async () => {
    const authorize = vi.fn((_fields: object) => null);
    const ada = visitor({ providers: [Credentials({ authorize })] });
    const options = JSON.parse('{"__proto__": {"admin": true}, "constructor": "x"}') as SignInOptions;
    for (const each of [options, form({ ['__proto__']: 'x' })])
      await expect(signIn(ada.configured, ada.host(), 'credentials', each)).rejects.toThrow();
    for (const [fields] of authorize.mock.calls) {
      expect(Object.getPrototypeOf(fields)).toBe(Object.prototype);
      expect(Object.hasOwn(fields, '__proto__')).toBe(false);
    }
  });

  it('may be missing', async () => {
    const ada = visitor();
    const nothing = null as unknown as SignInOptions;
    expect(await destination(signIn(ada.configured, ada.host(), undefined, nothing))).toContain('/auth/signin');
    expect(await destination(signOut(ada.configured, ada.host(), nothing))).toBe(`${origin}/`);
  });
});

describe('redirectTo', () => {
  const both = async (options: SignInOptions, config: object = {}, headers = new Headers()): Promise<string[]> => {
    const ada = visitor(config);
    const signedIn = destination(signIn(ada.configured, ada.host({ headers }), 'credentials', options));
    const signedOut = destination(signOut(ada.configured, ada.host({ headers }), options));
    return Promise.all([signedIn, signedOut]);
  };

  it.each([
    ['https://evil.test/'],
    ['//evil.test/'],
    ['/\\evil.test'],
    ['javascript:alert(1)'],
    ['http://localhost:3000@evil.test/'],
    ['/in\r\nset-cookie: x=1'],
  ])('does not lead to %j', async (redirectTo) => {
    for (const to of await both({ ...right, redirectTo })) expect(new URL(to).host).toBe('localhost:3000');
  });

  it('is what the `redirect` callback makes of it', async () => {
    const redirect = ({ url, baseUrl }: { url: string; baseUrl: string }) => `${baseUrl}/judged?${encodeURI(url)}`;
    const judged = `${origin}/judged?/in`;
    expect(await both({ ...right, redirectTo: '/in' }, { callbacks: { redirect } })).toEqual([judged, judged]);
  });

  it('wins over a field called `callbackUrl`', async () => {
    const to = `${origin}/in`;
    expect(await both({ ...right, redirectTo: '/in', callbackUrl: '/other' })).toEqual([to, to]);
  });

  it.each<[string, SignInOptions]>([
    ['missing', right],
    ['empty', { ...right, redirectTo: '' }],
    ['null', { ...right, redirectTo: null as unknown as string }],
  ])('is the page of the request when it is %s', async (_which, options) => {
    const page = `${origin}/shop?page=2`;
    expect(await both(options, {}, new Headers({ referer: page }))).toEqual([page, page]);
  });

  it('is the start page without a referrer, or with one of another site', async () => {
    expect(await both(right)).toEqual([`${origin}/`, `${origin}/`]);
    for (const to of await both(right, {}, new Headers({ referer: 'https://evil.test/' })))
      expect(new URL(to).origin).toBe(origin);
  });
});
