import { memoryAdapter } from '@latchkey/testing';
import { application, leadsTo, sessionCookies } from './application.ts';
import type { Cases } from './case.ts';
import { equal, matches } from './expect.ts';

export const email: Cases = {
  'signs in by a mailed link, once, with a session in a store': async () => {
    const adapter = memoryAdapter();
    const links: string[] = [];
    const mail = {
      id: 'mail',
      name: 'Mail',
      type: 'email',
      sendVerificationRequest: ({ url }: { url: string }): void => void links.push(url),
    } as const;
    const app = application({ providers: [mail], adapter });
    matches(leadsTo(await app.post('signin/mail', { email: 'Ada@Example.com' })), /^\/auth\/verify-request/);
    const [link = ''] = links;
    matches(link, /[?&]token=[\da-f]{64}/);
    const stored = [...adapter.store.verificationTokens.values()].map(({ token }) => link.includes(token));
    equal(stored, [false], 'the store has the hash alone');
    equal(leadsTo(await app.browser.get(link, { site: 'cross-site' })), '/');
    equal((await app.session())?.user?.email, 'ada@example.com');
    equal(adapter.store.sessions.size, 1, 'rows');
    equal(app.errors, []);

    const thief = application({ providers: [mail], adapter });
    matches(leadsTo(await thief.browser.get(link, { site: 'cross-site' })), /error=Verification/);
    equal(sessionCookies(thief), []);

    await app.post('signout');
    equal([await app.session(), adapter.store.sessions.size], [null, 0]);
  },
};
