import type { Page } from '@latchkey/testing';
import { describe, expect, it } from 'vitest';
import { oneDoor } from './doors.ts';
import { changed } from './email-scene.ts';
import { fakeProvider, leadsTo, oidc, startsSession } from './scene.ts';
import { OWNER, owner, type VerificationScene, verificationScene, WAITING } from './verification-scene.ts';

/** The second authorization request: to the provider, with nothing of the mail in it. */
function expectAtProvider(app: VerificationScene, page: Page): void {
  expect(page.redirect?.href).toMatch(app.fake.issuer);
  expect(page.redirect?.search).not.toMatch(/token=|owner|verifies|asked/);
  expect(startsSession(page)).toBe(false);
}

const ways = {
  'the code': (app: VerificationScene) => app.type(),
  'the link': (app: VerificationScene) => app.finish(app.link()),
};

describe.each(oneDoor)('an account whose address is not proven, through $name', (door) => {
  describe.each(['jwt', 'database'] as const)('with %s sessions', (strategy) => {
    const config = { session: { strategy } };

    it.each(Object.entries(ways))('becomes a user after %s and a second authorization', async (_, use) => {
      const app = verificationScene(door, { config });
      expect(leadsTo(await app.start())).toBe(WAITING);
      expect(app.adapter.dump()).toMatchObject({ users: [], accounts: [], sessions: [] });
      const second = await use(app);
      expectAtProvider(app, second);
      expect(app.adapter.dump().users).toEqual([]);
      const done = await app.comeBack(second);
      expect([leadsTo(done), startsSession(done)]).toEqual(['/in', true]);
      expect(app.adapter.dump()).toMatchObject({
        users: [{ email: OWNER, name: 'Olive', emailVerified: app.clock.now() }],
        accounts: [{ provider: 'fake', providerAccountId: 'owner' }],
      });
      expect(await app.session()).toMatchObject({ user: { email: OWNER } });
      expect(app.told.map(([event]) => event)).toEqual(['createUser', 'linkAccount', 'signIn']);
      expect(app.adapter.dump().verificationTokens).toEqual([]);
    });

    it('joins the user who has the address', async () => {
      const app = verificationScene(door, { config });
      await app.adapter.createUser({ id: 'known', email: OWNER, emailVerified: null });
      await app.start();
      expect(startsSession(await app.comeBack(await app.type()))).toBe(true);
      expect(app.adapter.dump()).toMatchObject({
        users: [{ id: 'known', emailVerified: app.clock.now() }],
        accounts: [{ provider: 'fake', userId: 'known' }],
      });
    });
  });

  it.each([
    ['is not stated, with a warning', undefined, {}, [['address-confirmed-by-mail', 'provider: fake']]],
    ['is denied', false, {}, []],
    ['is not stated, with `verify`', undefined, { unverifiedEmail: 'verify' }, []],
    ['is not stated, with `never`', undefined, { emailVerification: 'never' }, []],
  ] as const)('is confirmed if the verification %s', async (_, email_verified, oauth, warnings) => {
    const app = verificationScene(door, { oauth });
    const { email_verified: __, ...user } = owner;
    app.fake.overrides.idToken = { claims: ({ email_verified: ___, ...claims }) => ({ ...claims, email_verified }) };
    expect(leadsTo(await app.start(user))).toBe(WAITING);
    expect(app.sent).toHaveLength(1);
    expect(app.log.warnings.filter(([code]) => code !== 'experimental-webauthn')).toEqual(warnings);
  });

  it('is not asked for a proof if it is known already', async () => {
    const app = verificationScene(door);
    await app.adapter.createUser({ id: 'known', email: OWNER, emailVerified: null });
    await app.adapter.linkAccount({ userId: 'known', provider: 'fake', providerAccountId: 'owner', type: 'oidc' });
    expect(leadsTo(await app.start())).toBe('/in');
    expect(app.sent).toEqual([]);
  });

  it('gets the same answer and the same mail whether or not a user has the address', async () => {
    const answers = [false, true].map(async (isTaken) => {
      const app = verificationScene(door);
      if (isTaken) await app.adapter.createUser({ id: 'known', email: OWNER, emailVerified: new Date(0) });
      const page = await app.start();
      const mails = app.sent.map(({ identifier, verifies }) => [identifier, verifies]);
      const shown = (await app.browser.get(leadsTo(page) ?? '')).text().replaceAll(/value="[^"]*"/g, '');
      return {
        status: page.status,
        location: page.location,
        cookies: page.setCookies.map(({ name }) => name),
        mails,
        shown,
      };
    });
    const [free, taken] = await Promise.all(answers);
    expect(taken).toEqual(free);
  });

  it('is confirmed by the first email provider, which also mails links by itself', async () => {
    const other: string[] = [];
    const app = verificationScene(door);
    const second = {
      ...{ id: 'other', name: 'Other', type: 'email' as const },
      sendVerificationRequest: () => void other.push('sent'),
    };
    app.config.providers.push(second);
    await app.start();
    expect([app.sent.length, other]).toEqual([1, []]);
  });

  it('is confirmed for 15 minutes, by a code and a link that `confirm: false` does not change', async () => {
    const app = verificationScene(door, {
      mail: { maxAge: 86_400, confirm: false, generateVerificationToken: () => '123456' },
    });
    await app.start();
    const [mail] = app.sent;
    expect(mail).toMatchObject({ identifier: OWNER, verifies: { provider: 'fake', name: 'Fake' } });
    expect(mail?.expires).toEqual(new Date(app.clock.now().getTime() + 900_000));
    expect([mail?.code, mail?.token]).toEqual([expect.stringMatching(/^\d{8}$/), expect.stringMatching(/^\w{64}$/)]);
    const page = await app.finish(app.link(), app.visitor());
    expect([page.status, startsSession(page)]).toEqual([200, false]);
    app.clock.advance(901);
    expect(leadsTo(await app.type())).toBe('/auth/verify-request?provider=mail&type=email&error=Verification');
  });

  it('shows a page in the asking browser, too, if the email provider has `confirm: true`', async () => {
    const app = verificationScene(door, { mail: { confirm: true } });
    await app.start();
    const page = await app.finish(app.link());
    expect(page.text()).toContain('continue with <strong>Fake</strong>');
    const fields = Object.fromEntries(new URL(app.link()).searchParams);
    expectAtProvider(app, await app.post('callback/mail', fields));
  });

  it('has its address masked on the page, because the visitor has not typed it', async () => {
    const app = verificationScene(door);
    const page = await app.browser.get(leadsTo(await app.start()) ?? '');
    const text = page.text();
    expect(text).toContain('o…@e….com');
    expect(text).toContain('continue with <strong>Fake</strong>');
    expect(text).not.toContain(OWNER);
    expect((await app.browser.get('/auth/code/mail')).json()).toMatchObject({ email: 'o…@e….com', code: true });
  });

  it.each([
    ['refuses it', () => expect.unreachable('not this one'), '`normalizeIdentifier` refused the address'],
    ['turns it into another', () => 'another@example.com', 'the email provider does not accept the address'],
  ])('is refused if the email provider %s', async (_, normalizeIdentifier, message) => {
    const app = verificationScene(door, { mail: { normalizeIdentifier } });
    expect(leadsTo(await app.start())).toBe('/auth/signin?error=EmailSignin');
    expect([app.sent, app.adapter.dump().users]).toEqual([[], []]);
    expect(app.log.errors[0]?.message).toContain(message);
    expect(app.log.errors[0]?.cause).toMatchObject({ provider: 'mail' });
  });

  it('counts for the limit on mails to its address', async () => {
    const app = verificationScene(door);
    for (let mail = 1; mail <= 5; mail++) expect(leadsTo(await app.start(owner, app.visitor()))).toBe(WAITING);
    const page = await app.start(owner, app.visitor());
    expect([page.status, page.headers.has('retry-after')]).toEqual([429, true]);
    expect(app.sent).toHaveLength(5);
    const unlimited = verificationScene(door, { config: { rateLimit: false } });
    for (let mail = 1; mail <= 6; mail++) await unlimited.start(owner, unlimited.visitor());
    expect(unlimited.sent).toHaveLength(6);
  });

  it('asks the `signIn` callback before the mail, and again before the user is created', async () => {
    const asked: unknown[] = [];
    const app = verificationScene(door, {
      config: {
        callbacks: {
          signIn: ({ account, emailStatus, email }) => {
            asked.push([account?.provider, emailStatus, email]);
            return asked.length < 3;
          },
        },
      },
    });
    await app.start();
    expect(asked).toEqual([['fake', 'unverified', undefined]]);
    await app.comeBack(await app.type());
    expect(asked.slice(1)).toEqual([['fake', 'verified', undefined]]);
    const refused = await app.start({ ...owner, sub: 'another', email: 'another@example.com' });
    expect(leadsTo(refused)).toBe('/auth/error?error=AccessDenied');
    expect(app.sent).toHaveLength(1);
  });

  it('has the same link and code sent again, which still continue the sign-in', async () => {
    const app = verificationScene(door);
    await app.start();
    expect(leadsTo(await app.post('signin/mail', {}))).toBe(WAITING);
    expect(app.sent).toHaveLength(1);
    app.clock.advance(60);
    expect(leadsTo(await app.post('signin/mail', {}))).toBe(WAITING);
    const [first, again] = app.sent;
    expect([again?.code, again?.token, again?.verifies]).toEqual([first?.code, first?.token, first?.verifies]);
    expect(leadsTo(await app.comeBack(await app.type()))).toBe('/in');
  });

  it('has a new code sent after five wrong ones, which continues the sign-in', async () => {
    const app = verificationScene(door);
    await app.start();
    const old = app.code();
    for (let step = 1; step <= 5; step++) await app.type(String((Number(old) + step) % 1e8).padStart(8, '0'));
    expect(leadsTo(await app.type(old))).toBe('/auth/verify-request?provider=mail&type=email&error=Verification');
    expect(leadsTo(await app.post('signin/mail', {}))).toBe(WAITING);
    expect(leadsTo(await app.comeBack(await app.type()))).toBe('/in');
  });

  it.each(Object.entries(ways))(
    'has the parameters of the sign-in repeated after %s, up to 512 characters',
    async (_, use) => {
      const scopes = async (scope: string): Promise<(string | null | undefined)[]> => {
        const app = verificationScene(door);
        const first = await app.post(`signin/fake?${new URLSearchParams({ scope, client_id: 'other' })}`, {});
        await app.comeBack(first);
        const second = await use(app);
        expectAtProvider(app, second);
        expect(second.redirect?.searchParams.get('client_id')).toBe(first.redirect?.searchParams.get('client_id'));
        return [first, second].map(({ redirect }) => redirect?.searchParams.get('scope'));
      };
      const requested = 'openid email profile calendar';
      expect(await scopes(requested)).toEqual([requested, requested]);
      const long = `openid email ${'x'.repeat(512)}`;
      expect(await scopes(long)).toEqual([long, 'openid profile email']);
    },
  );

  it('has the parameters of the sign-in in no cookie without an email provider', async () => {
    const stateLength = async (fields: Record<string, string>, isMailed: boolean): Promise<number> => {
      const app = verificationScene(door, isMailed ? {} : { config: { providers: [oidc(fakeProvider())] } });
      const page = await app.post(`signin/fake?${new URLSearchParams(fields)}`, {});
      return page.setCookies.find(({ name }) => name === 'authjs.state')?.value.length ?? expect.unreachable();
    };
    const scope = 'openid email calendar';
    expect(await stateLength({ scope }, false)).toBe(await stateLength({}, false));
    expect(await stateLength({ scope }, true)).toBeGreaterThan(await stateLength({}, true));
  });

  it('is forgotten if the visitor types the address to sign in by mail', async () => {
    const app = verificationScene(door);
    await app.start();
    await app.post('signin/mail', { email: OWNER, callbackUrl: '/in' });
    expect(app.sent).toHaveLength(2);
    expect(app.sent[1]).not.toHaveProperty('verifies');
    expect(startsSession(await app.finish(app.link()))).toBe(true);
    expect(app.adapter.dump()).toMatchObject({ users: [{ email: OWNER }], accounts: [] });
  });

  it('leads to the page again if the visitor cancels the second authorization', async () => {
    const app = verificationScene(door);
    await app.start();
    const second = await app.type();
    const canceled = await app.finish(await app.fake.authorize(second.location ?? '', { deny: 'access_denied' }));
    expect(leadsTo(canceled)).toBe('/auth/signin?error=OAuthCallbackError');
    expect(leadsTo(await app.start())).toBe(WAITING);
  });
});

describe.each(oneDoor)('a link that confirms an address, in another browser, through $name', (door) => {
  it('says where to type the code, and offers a sign-in by mail that links nothing', async () => {
    const app = verificationScene(door);
    await app.start();
    const phone = app.visitor();
    const page = await app.finish(app.link(), phone);
    expect(page.text()).toContain('type the code from the email in the browser where you started');
    expect(page.text()).toContain('without <strong>Fake</strong>');
    const done = await app.post('callback/mail', Object.fromEntries(new URL(app.link()).searchParams), phone);
    expect([leadsTo(done), startsSession(done)]).toEqual(['/in', true]);
    expect(app.adapter.dump()).toMatchObject({ users: [{ email: OWNER }], accounts: [] });
    // Link and code are one proof: the asking browser has to start again.
    expect(leadsTo(await app.type())).toBe('/auth/verify-request?provider=mail&type=email&error=Verification');
  });

  it('is not valid with a provider that is not configured, and the page does not name it', async () => {
    const app = verificationScene(door);
    await app.start();
    const page = await app.finish(changed(app.link(), { verifies: 'other' }), app.visitor());
    expect(leadsTo(page)).toBe('/auth/error?error=Verification');
    expect(app.log.errors[0]?.message).toContain('for a provider that is not configured');
  });

  it('is not what a link that signs in becomes by naming a provider', async () => {
    const app = verificationScene(door);
    await app.post('signin/mail', { email: OWNER, callbackUrl: '/in' });
    const fields = { ...Object.fromEntries(new URL(app.link()).searchParams), verifies: 'fake' };
    expect(leadsTo(await app.post('callback/mail', fields))).toBe('/auth/error?error=Verification');
    expect(startsSession(await app.finish(app.link()))).toBe(true);
  });

  it.each([
    ['no provider', undefined],
    ['another provider', 'passkey'],
  ])('is not valid with %s', async (_, verifies) => {
    const app = verificationScene(door);
    await app.start();
    // It is not the link of the mail that this browser has requested.
    if (verifies) expect((await app.finish(changed(app.link(), { verifies }))).status).toBe(200);
    const { verifies: __, ...rest } = Object.fromEntries(new URL(app.link()).searchParams);
    const page = await app.post('callback/mail', { ...rest, ...(verifies && { verifies }) });
    expect(leadsTo(page)).toBe('/auth/error?error=Verification');
    expect(startsSession(page)).toBe(false);
    expect(leadsTo(await app.comeBack(await app.type()))).toBe('/in');
  });
});
