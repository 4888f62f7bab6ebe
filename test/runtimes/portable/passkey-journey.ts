import { SoftwareAuthenticator } from '@latchkey/testing';
import { sessionCookies } from './application.ts';
import type { Cases } from './case.ts';
import { equal } from './expect.ts';
import { withPasskeys } from './passkey.ts';

/** Apart: the authenticator in software, not Latchkey, needs node:crypto. */
export const passkeyJourney: Cases = {
  'makes a passkey, signs in with it, and refuses a forged signature': async () => {
    const app = withPasskeys();
    const phone = new SoftwareAuthenticator();
    const { origin } = app.browser;
    const answer = (action: string, data: object) =>
      app.post('callback/passkey', { action, data: JSON.stringify(data) });

    const made = await app.ask({ action: 'register', email: 'ada@example.com' });
    await answer('register', phone.create(made.options, origin));
    equal((await app.session())?.user?.email, 'ada@example.com', 'after making it');
    equal(app.adapter.store.authenticators.size, 1, 'passkeys in the store');
    await app.post('signout');

    const forged = await app.ask({ action: 'authenticate' });
    await answer('authenticate', phone.get(forged.options, origin, { signature: 'broken' }));
    equal(sessionCookies(app), [], 'after a forged signature');

    const used = await app.ask({ action: 'authenticate' });
    await answer('authenticate', phone.get(used.options, origin));
    equal((await app.session())?.user?.email, 'ada@example.com', 'after using it');
  },
};
