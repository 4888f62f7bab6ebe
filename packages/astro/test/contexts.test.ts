import { AstroAuth, type AstroAuthContext } from '@latchkey/astro';
import { bindingConfig } from '@latchkey/testing/binding-application';
import type { APIContext } from 'astro';
import { describe, expect, it } from 'vitest';

const { auth, handler, requireSession, signOut } = AstroAuth(bindingConfig(), {});

function context(path: string, { headers = {}, ...others }: Partial<APIContext> & { headers?: HeadersInit } = {}) {
  const url = new URL(path, 'http://localhost:4321');
  const request = new Request(url, { headers });
  return { url, request, locals: {}, isPrerendered: false, cookies: { headers: () => [] }, ...others } as APIContext;
}

describe('AstroAuth', () => {
  it('only reads sessions without the middleware, and refuses calls that set cookies', async () => {
    const page: AstroAuthContext = context('/');
    expect(await auth(page)).toBeNull();
    await expect(signOut(page)).rejects.toMatchObject({ type: 'CookiesNotWritable' });
  });

  it('refuses to guard a page that is built in advance, and to answer actions there', async () => {
    const page = context('/', { isPrerendered: true });
    expect(await auth(page)).toBeNull();
    await expect(requireSession(page)).rejects.toThrow('Add `export const prerender = false`');
    await expect(handler(page)).rejects.toThrow(TypeError);
  });

  const own = AstroAuth(bindingConfig(), {});
  it.each<[string, (page: AstroAuthContext) => Promise<unknown>]>([
    ['auth', (page) => own.auth(page)],
    ['signIn', (page) => own.signIn(page, 'credentials', { password: 'password' })],
    ['signOut', (page) => own.signOut(page)],
    ['update', (page) => own.update(page, {})],
    ['pendingMail', (page) => own.pendingMail(page)],
    ['requireSession', (page) => own.requireSession(page)],
    ['sessions', (page) => own.sessions(page).list()],
    ['account', (page) => own.account(page).list()],
    ['tokens', (page) => own.tokens(page).list()],
  ])('answers 400 if a page calls %s for an invalid host', async (_name, call) => {
    const page = context('https://a,b/');
    const answer = await own.middleware(page, async () => Response.json(await call(page)));
    expect([answer?.status, await answer?.text()]).toEqual([400, 'Bad Request']);
  });

  it('does not mix up visitors if a server passes the same `locals` to all requests', async () => {
    const locals = {};
    const call = (name: string) =>
      new URLSearchParams({ name, password: 'password', provider: 'credentials', redirect: 'false' });
    const own = AstroAuth(bindingConfig(), {});
    const ada = context('/', { locals, headers: { cookie: 'visitor=ada' } });
    const grace = context('/', { locals, headers: { cookie: 'visitor=grace' } });
    let seen: unknown;
    await own.middleware(ada, async () => {
      await own.signIn(ada, 'credentials', Object.fromEntries(call('Ada')));
      await own.middleware(grace, async () => {
        seen = await own.auth(grace);
        return new Response();
      });
      return new Response();
    });
    expect(seen).toBeNull();
  });

  it('works with an adapter that does not know the address of the visitor', async () => {
    const page = context('/');
    Object.defineProperty(page, 'clientAddress', {
      get: () => {
        throw new Error('not available');
      },
    });
    expect(await auth(page)).toBeNull();
  });
});
