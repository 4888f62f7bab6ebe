import { encode } from '@latchkey/core/jwt';
import { TanStackAuth } from '@latchkey/tanstack-start';
import { BINDING_SECRET, bindingConfig } from '@latchkey/testing/binding-application';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { start } from './contract/start.ts';

const NAME = 'authjs.session-token';

describe('server functions of an application on TanStack Start', () => {
  let site: Awaited<ReturnType<typeof start>>;
  let urls: Record<'guardedName' | 'visitorName' | 'leave', string>;
  let cookie: string;
  beforeAll(async () => {
    // The session is due with each read.
    site = await start({ updateAge: 0, signInPage: '/guarded' });
    urls = await (await fetch(`${site.origin}/functions`)).json();
    cookie = `${NAME}=${await encode({ token: { name: 'Ada', sub: '1' }, secret: BINDING_SECRET, salt: NAME })}`;
  });
  afterAll(() => site.stop());

  /** Calls a server function as the browser side of Start does. */
  const call = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    fetch(site.origin + path, {
      method,
      redirect: 'manual',
      headers: { 'x-tsr-serverfn': 'true', 'sec-fetch-mode': 'cors', 'sec-fetch-site': 'same-origin', ...headers },
    });

  it('gives data only to visitors with a session, although no page is opened', async () => {
    expect(await (await call(urls.guardedName, { cookie })).text()).toContain('Ada');
    const refused = await call(urls.guardedName, { 'x-tsr-serverfn': 'false' });
    expect([refused.status, await refused.text()]).toEqual([401, expect.not.stringContaining('undefined')]);
  });

  it('sends the visitor to the sign-in page as a document, and back to the page that called', async () => {
    const answer = await call(urls.guardedName, { referer: `${site.origin}/orders?page=2` });
    expect(await answer.json()).toMatchObject({
      isSerializedRedirect: true,
      href: '/guarded?callbackUrl=%2Forders%3Fpage%3D2',
      reloadDocument: true,
    });
  });

  it.each([['https://evil.example/orders'], ['not an address'], ['']])(
    'returns to the start if the calling page is %j',
    async (referer) => {
      const answer = await call(urls.guardedName, { referer });
      expect(await answer.json()).toMatchObject({ href: '/guarded?callbackUrl=%2F' });
    },
  );

  it('refuses a call with the status 401 if a client names the sign-in page as the calling page', async () => {
    const answer = await call(urls.guardedName, { referer: `${site.origin}/guarded` });
    expect([answer.status, await answer.text()]).toEqual([401, expect.not.stringContaining('undefined')]);
  });

  it('renews a session on the answer', async () => {
    const answer = await call(urls.visitorName, { cookie });
    expect(await answer.text()).toContain('Ada');
    expect(answer.headers.getSetCookie()).toEqual([expect.stringMatching(`^${NAME}=`)]);
    expect(answer.headers.get('cache-control')).toMatch(/private/);
  });

  it('signs out, and the browser loads the next page as a document', async () => {
    const answer = await call(urls.leave, { cookie }, 'POST');
    expect(answer.headers.getSetCookie()).toContainEqual(expect.stringMatching(`^${NAME}=;`));
    expect(await answer.json()).toMatchObject({ href: expect.stringMatching(/\/session$/), reloadDocument: true });
  });

  it('does not sign out for a page of another site, without a CSRF middleware', async () => {
    const answer = await call(urls.leave, { cookie, 'sec-fetch-site': 'cross-site' }, 'POST');
    expect(answer.headers.getSetCookie().filter((line) => line.startsWith(`${NAME}=`))).toEqual([]);
  });
});

describe('TanStackAuth', () => {
  it('rejects outside of a request', async () => {
    const { auth, signOut } = TanStackAuth(bindingConfig(), {});
    await expect(auth()).rejects.toThrow(/StartEvent/);
    await expect(signOut()).rejects.toThrow(/StartEvent/);
  });
});
