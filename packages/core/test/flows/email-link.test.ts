import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import Credentials from '../../src/providers/credentials.ts';
import type { EmailConfig } from '../../src/providers/email.ts';
import type { AuthConfig } from '../../src/types/config.ts';
import { oneDoor } from './doors.ts';
import { byTokenAlone, changed, type MailScene, mailScene, mailStore, storedHash } from './email-scene.ts';
import { asked, fakeProvider, leadsTo, oidc, SECRET, startsSession } from './scene.ts';

const address = 'ada@example.com';
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The link is refused, nothing is stored, and the visitor is not signed in. */
async function expectInvalid(app: MailScene, link: string): Promise<void> {
  const users = app.store.users.size;
  const visitor = app.visitor();
  const page = await app.open(link, visitor);
  expect(leadsTo(page)).toBe('/auth/error?error=Verification');
  expect(startsSession(page)).toBe(false);
  expect(await app.session(visitor)).toBeNull();
  expect(app.store.users.size).toBe(users);
  expect(app.log.types().at(-1)).toBe('Verification');
}

describe.each(oneDoor)('a mailed link through $name', (door) => {
  it('is not sent to another site as a referrer, and is not cached', async () => {
    const app = mailScene(door);
    const page = await app.open(await app.link(address, { callbackUrl: '/in' }));
    expect(page.status).toBe(302);
    expect(page.headers.get('referrer-policy')).toBe('no-referrer');
    expect(page.headers.get('cache-control')).toBe('private, no-store');
  });

  it.each(['jwt', 'database'] as const)('signs in once, also under 8 uses at once (%s)', async (strategy) => {
    const app = mailScene(door, { session: { strategy } });
    const link = await app.link(address);
    const pages = await Promise.all(Array.from({ length: 8 }, () => app.open(link, app.visitor())));
    expect(pages.filter(startsSession)).toHaveLength(1);
    expect(pages.map(leadsTo).sort()).toEqual([...Array(7).fill('/auth/error?error=Verification'), '/in']);
    expect(app.store.users.size).toBe(1);
    expect(app.store.sessions.size).toBe(strategy === 'database' ? 1 : 0);
    await expectInvalid(app, link);
  });

  it('is refused after its expiry, and is spent then', async () => {
    const app = mailScene(door);
    const link = await app.link(address);
    app.clock.advance(86_401);
    await expectInvalid(app, link);
    expect(app.log.errors[0]?.cause).toMatchObject({ found: true, expired: true });
    app.clock.advance(-86_401);
    await expectInvalid(app, link);
  });

  it('is refused if the store returns an invalid date', async () => {
    const store = mailStore();
    const use = store.adapter.useVerificationToken;
    store.adapter.useVerificationToken = async (params) => {
      const found = await use?.(params);
      return found ? { ...found, expires: new Date(Number.NaN) } : null;
    };
    const app = mailScene(door, {}, { store });
    await expectInvalid(app, await app.link(address));
  });

  it.each([
    ['another address', { email: 'bob@example.com' }],
    ['the address in upper case', { email: 'ADA@EXAMPLE.COM' }],
    ['the address in full width', { email: 'ada\uFF20example.com' }],
    ['no address', { email: undefined }],
    ['an empty address', { email: '' }],
    ['no token', { token: undefined }],
    ['an empty token', { token: '' }],
    ['another token', { token: 'f'.repeat(64) }],
    ['text in place of the address', { email: 'Your account is locked, call 555-0100' }],
    ['a very long token', { token: 'f'.repeat(100_000) }],
  ])('is refused with %s, and works afterwards', async (_, params) => {
    const app = mailScene(door);
    const link = await app.link(address);
    await expectInvalid(app, changed(link, params));
    expect(leadsTo(await app.open(link))).toBe('/in');
  });

  it.each(['two\nlines', 'a@example.com, b@example.com', 'x'.repeat(400)])(
    'is refused with %j without a call of the store, for any result of a custom normalizer',
    async (email) => {
      const app = mailScene(door, {}, { provider: { normalizeIdentifier: (typed) => typed } });
      const link = await app.link(address);
      app.store.forget();
      await expectInvalid(app, changed(link, { email }));
      expect(app.store.names()).not.toContain('useVerificationToken');
    },
  );

  it('is refused with another address if the store looks up by the token alone', async () => {
    const app = mailScene(door, {}, { store: byTokenAlone() });
    const link = await app.link(address);
    await expectInvalid(app, changed(link, { email: 'mallory@example.com' }));
    expect(leadsTo(await app.open(await app.link(address)))).toBe('/in');
  });

  it.each([{}, { token: null as unknown as string }])(
    'is refused where the store looks up by the address alone',
    async (row) => {
      const store = mailStore();
      store.adapter.useVerificationToken = async ({ identifier }) => {
        const found = [...store.tokens.values()].find((one) => one.identifier === identifier);
        return found ? { ...found, ...row } : null;
      };
      const app = mailScene(door, {}, { store });
      const link = await app.link(address);
      await expectInvalid(app, changed(link, { token: 'f'.repeat(64) }));
    },
  );

  it('does not accept the stored hash as a token', async () => {
    const app = mailScene(door);
    const link = await app.link(address);
    const [row] = app.store.tokens.values();
    await expectInvalid(app, changed(link, { token: row?.token ?? '' }));
  });

  it('does not accept a state, code verifier or session as a token', async () => {
    const fake = fakeProvider();
    const app = mailScene(door, {
      session: { strategy: 'jwt' },
      providers: [oidc(fake, { checks: ['pkce', 'state', 'nonce'] })],
    });
    const link = await app.link(address);
    const { state = '', nonce = '' } = asked(await app.begin());
    const cookies = app.browser.cookies.all().map(({ value }) => value);
    for (const token of [state, nonce, ...cookies]) await expectInvalid(app, changed(link, { token }));
    await app.signIn(fake);
    const session = app.browser.cookies.all().find(({ name }) => name.includes('session-token'))?.value ?? '';
    expect(session).not.toBe('');
    await expectInvalid(app, changed(link, { token: session }));
    expect(app.store.tokens.size).toBe(1);
  });

  it('never leads to another site', async () => {
    const app = mailScene(door);
    const link = await app.link(address);
    const page = await app.open(changed(link, { callbackUrl: 'https://evil.example/' }));
    expect(page.location).toBe('http://localhost:3000');
    const asking = await app.link(address, { callbackUrl: 'https://evil.example/' });
    expect(new URL(asking).searchParams.get('callbackUrl')).toBe('http://localhost:3000');
  });

  it('is not spent by HEAD', async () => {
    const app = mailScene(door);
    const link = await app.link(address);
    for (let count = 0; count < 3; count++) {
      const page = await app.visitor().open(link, { method: 'HEAD' });
      expect(page.status).toBe(400);
      expect(page.setCookies).toEqual([]);
    }
    expect(app.store.tokens.size).toBe(1);
    expect(leadsTo(await app.open(link))).toBe('/in');
  });

  it('is spent by a POST only with the CSRF token', async () => {
    const app = mailScene(door);
    const link = await app.link(address);
    const page = await app.browser.post(link, {});
    expect(leadsTo(page)).toBe('/auth/signin?error=MissingCSRF');
    expect(app.store.tokens.size).toBe(1);
    const { csrfToken } = (await app.browser.get('/auth/csrf')).json<{ csrfToken: string }>();
    expect(leadsTo(await app.browser.post(link, { csrfToken }))).toBe('/in');
  });

  it('is not changed by a `verifies` that is not text', async () => {
    const app = mailScene(door);
    const fields = Object.fromEntries(new URL(await app.link(address)).searchParams);
    const { csrfToken } = (await app.browser.get('/auth/csrf')).json<{ csrfToken: string }>();
    const body = { ...fields, csrfToken, verifies: ['mail'] };
    expect(leadsTo(await app.browser.post('/auth/callback/mail', body, { json: true }))).toBe('/in');
  });

  it.each([
    ['sec-purpose', 'prefetch'],
    ['sec-purpose', 'prefetch;prerender'],
    ['purpose', 'prefetch'],
  ])('shows a page and is not spent if the browser loads it ahead: %s: %s', async (name, value) => {
    const app = mailScene(door);
    const link = await app.link(address);
    const page = await app.browser.get(link, { headers: { [name]: value } });
    expect([page.status, startsSession(page)]).toEqual([200, false]);
    expect(page.headers.get('cache-control')).toBe('private, no-store');
    expect(app.store.names()).not.toContain('useVerificationToken');
    expect(leadsTo(await app.browser.submit(app.browser.form(page)))).toBe('/in');
    expect(await app.session()).toMatchObject({ user: { email: address } });
  });

  describe.each(['jwt', 'database'] as const)('opened in a browser with a session (%s)', (strategy) => {
    const bob = 'bob@example.com';
    const session = { strategy };

    async function withBob(config: Partial<AuthConfig> = {}, store = mailStore()): Promise<MailScene> {
      const app = mailScene(door, { session, ...config }, { store });
      await app.open(await app.link(bob));
      return app;
    }

    it('replaces the session of another user only by a form, which names both', async () => {
      const app = await withBob();
      const link = await app.link(address, {}, app.visitor());
      app.store.forget();
      const page = await app.open(link);
      expect([page.status, startsSession(page)]).toEqual([200, false]);
      expect(page.text()).toContain(`as <strong><bdi>${address}</bdi></strong>`);
      expect(page.text()).toContain(`You are signed in as <strong><bdi>${bob}</bdi></strong>`);
      expect(app.store.names()).not.toContain('useVerificationToken');
      expect(await app.session()).toMatchObject({ user: { email: bob } });
      expect(leadsTo(await app.browser.submit(app.browser.form(page)))).toBe('/in');
      expect(await app.session()).toMatchObject({ user: { email: address } });
    });

    it('shows the form, too, if the link does not name an address', async () => {
      const app = await withBob({}, byTokenAlone());
      const page = await app.open(changed(await app.link(bob), { email: undefined }));
      expect([page.status, startsSession(page)]).toEqual([200, false]);
      expect(leadsTo(await app.browser.submit(app.browser.form(page)))).toBe('/in');
    });

    it('signs in at once if it is the session of the same user, or has ended', async () => {
      const app = await withBob();
      expect(leadsTo(await app.open(await app.link(bob)))).toBe('/in');
      const stale = app.browser.clone();
      await app.post('signout');
      expect(leadsTo(await app.open(await app.link(address)))).toBe('/in');
      if (strategy === 'database') expect(leadsTo(await app.open(await app.link(address), stale))).toBe('/in');
    });
  });

  it('replaces the session of a user whom the store does not have only by a form', async () => {
    const authorize = (): { id: string; name: string } => ({ id: 'elsewhere', name: 'Grace' });
    const app = mailScene(door, { session: { strategy: 'jwt' }, providers: [Credentials({ authorize })] });
    await app.post('callback/credentials');
    const page = await app.open(await app.link(address));
    expect([page.status, startsSession(page)]).toEqual([200, false]);
    expect(page.text()).toContain('You are signed in as <strong><bdi>another user</bdi></strong>');
    expect(await app.session()).toMatchObject({ user: { name: 'Grace' } });
    expect(leadsTo(await app.browser.submit(app.browser.form(page)))).toBe('/in');
  });

  describe('of a provider with `confirm`', () => {
    const confirming = (config: Partial<AuthConfig> = {}): MailScene =>
      mailScene(door, config, { provider: { confirm: true } });

    it('shows a page, whose form signs in', async () => {
      const app = confirming();
      const link = await app.link(address);
      const phone = app.visitor();
      const page = await app.open(link, phone);
      expect(page.status).toBe(200);
      expect(page.text()).toContain(address);
      expect(page.text()).not.toContain('type the code');
      expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(page.headers.get('cache-control')).toBe('private, no-store');
      // With `no-referrer` browsers would post the form with `Origin: null`.
      expect(page.headers.get('referrer-policy')).toBe('strict-origin');
      expect(startsSession(page)).toBe(false);
      const form = phone.form(page);
      expect(form.action).toBe('http://localhost:3000/auth/callback/mail');
      const done = await phone.submit(form);
      expect(leadsTo(done)).toBe('/in');
      expect(done.headers.get('referrer-policy')).toBe('no-referrer');
      expect(await app.session(phone)).toMatchObject({ user: { email: address } });
      await expectSpent(app, link);
    });

    it('is not spent by any number of GETs and HEADs', async () => {
      const app = confirming();
      const link = await app.link(address);
      for (let count = 0; count < 5; count++) {
        expect((await app.open(link, app.visitor())).status).toBe(200);
        await app.visitor().open(link, { method: 'HEAD' });
      }
      expect(app.store.names()).not.toContain('useVerificationToken');
      const page = await app.open(link);
      expect(leadsTo(await app.browser.submit(app.browser.form(page)))).toBe('/in');
    });

    it('is not spent by a form of another site, or without the token', async () => {
      const app = confirming();
      const link = await app.link(address);
      const page = await app.open(link);
      const form = app.browser.form(page);
      const attempts = [
        await app.browser.submit(form, { csrfToken: undefined }),
        await app.browser.submit(form, { csrfToken: 'f'.repeat(64) }),
        await app.browser.submit(form, {}, { initiator: 'https://evil.example' }),
      ];
      expect(attempts.map(leadsTo)).toEqual(Array(3).fill('/auth/signin?error=MissingCSRF'));
      expect(app.store.tokens.size).toBe(1);
    });

    it('shows on the page only values that can have been mailed', async () => {
      const app = confirming();
      const link = await app.link(address);
      for (const email of ['Your account is locked, call 555-0100', '<b>x</b>@example.com', 'a@b.c, d@e.f']) {
        expect(leadsTo(await app.open(changed(link, { email })))).toBe('/auth/error?error=Verification');
      }
    });

    it('reports that a link was used when the form is posted, and not before', async () => {
      const app = confirming();
      const link = await app.link(address);
      const page = await app.open(link);
      await app.browser.submit(app.browser.form(page));
      await expectSpent(app, link);
    });

    async function expectSpent(app: MailScene, link: string): Promise<void> {
      const other = app.visitor();
      const page = await app.open(link, other);
      expect(page.status).toBe(200);
      expect(leadsTo(await other.submit(other.form(page)))).toBe('/auth/error?error=Verification');
      expect(await app.session(other)).toBeNull();
    }
  });

  describe('that was mailed before the secret changed', () => {
    const old = 'old-secret-of-more-than-32-characters-0';
    const older = 'older-secret-of-more-than-32-characters';
    const foreign = 'foreign-secret-of-more-than-32-characters';

    /** Mails with some secrets, opens with others. */
    async function acrossSecrets(before: string | string[], after: string | string[]): Promise<MailScene> {
      const store = mailStore();
      const link = await mailScene(door, { secret: before }, { store }).link(address);
      const app = mailScene(door, { secret: after }, { store });
      await app.open(link);
      return app;
    }

    it.each<[string, string | string[], string | string[]]>([
      ['one secret, then a list that ends with it', old, [SECRET, old]],
      ['one secret, then a list with it in the middle', old, [SECRET, old, older]],
      ['a list, then one more in front', [old, older], [SECRET, old, older]],
      ['a list, then its newest alone', [old, older], old],
    ])('works: %s', async (_, before, after) => {
      expect(await (await acrossSecrets(before, after)).session()).toMatchObject({ user: { email: address } });
    });

    it('does not work once the secret is gone', async () => {
      const app = await acrossSecrets(foreign, [SECRET, old]);
      expect(await app.session()).toBeNull();
      expect(app.log.types()).toEqual(['Verification']);
    });

    it.each([
      ['a whole list', `${SECRET},${old},${older}`],
      ['an older list', `${old},${older}`],
      ['the oldest', older],
    ])('works if Auth.js v5 hashed it with %s', async (_, secret) => {
      const app = mailScene(door, { secret: [SECRET, old, older] });
      const token = 'a'.repeat(64);
      const row = {
        identifier: address,
        token: sha256(token + secret),
        expires: new Date(app.clock.now().getTime() + 1000),
      };
      await app.store.adapter.createVerificationToken(row);
      const params = new URLSearchParams({ callbackUrl: '/in', token, email: address });
      expect(leadsTo(await app.open(`http://localhost:3000/auth/callback/mail?${params}`))).toBe('/in');
      expect(app.store.tokens.size).toBe(0);
    });

    it('hashes a new one with the newest secret alone', async () => {
      // As Auth.js v5 does, because only one provider mails links.
      const app = mailScene(door, { secret: [SECRET, old], providers: [oidc(fakeProvider())] });
      await app.link(address);
      expect([...app.store.tokens.values()][0]?.token).toBe(storedHash(app.sent[0]?.token ?? '', SECRET));
    });

    it('is refused with the configuration’s secrets if the provider has its own', async () => {
      const app = mailScene(door, {}, { provider: { secret: foreign } });
      const token = 'a'.repeat(64);
      const row = {
        identifier: address,
        token: sha256(token + SECRET),
        expires: new Date(app.clock.now().getTime() + 1000),
      };
      await app.store.adapter.createVerificationToken(row);
      const params = new URLSearchParams({ callbackUrl: '/in', token, email: address });
      await expectInvalid(app, `http://localhost:3000/auth/callback/mail?${params}`);
    });
  });

  describe('of one of several providers that mail links', () => {
    const links: string[] = [];
    const sendVerificationRequest = ({ url }: { url: string }): void => void links.push(url);
    const other: EmailConfig = { id: 'other', name: 'Other', type: 'email', sendVerificationRequest };
    const toOther = (link: string): string => link.replace('/callback/mail?', '/callback/other?');

    it('is accepted by its own provider, and by no other', async () => {
      const app = mailScene(door, { providers: [other] });
      const link = await app.link(address);
      await expectInvalid(app, toOther(link));
      expect(leadsTo(await app.open(link))).toBe('/in');
      await app.post('signin/other', { email: address });
      expect(startsSession(await app.open(links.at(-1) ?? '', app.visitor()))).toBe(true);
    });

    it('is accepted if it was mailed while there was one provider', async () => {
      const store = mailStore();
      const link = await mailScene(door, {}, { store }).link(address);
      expect(leadsTo(await mailScene(door, { providers: [other] }, { store }).open(link))).toBe('/in');
    });
  });

  it('keeps its token out of the log', async () => {
    const app = mailScene(door);
    const link = await app.link(address);
    await app.open(link);
    await app.open(link);
    const token = app.sent[0]?.token ?? '';
    const logged = JSON.stringify([app.log.debugged, app.log.errors.map((error) => [error.message, error.cause])]);
    expect(logged).not.toContain(token);
  });
});
