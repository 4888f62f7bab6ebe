import { application, FakeProvider, memoryAdapter, type Page } from '@latchkey/testing';
import { describe, expect, it } from 'vitest';
import { settingsFor } from '../../src/config/settings.ts';
import Credentials from '../../src/providers/credentials.ts';
import type { Adapter } from '../../src/types/adapter.ts';
import { openCookie, sealCookie } from '../../src/wire/sealed-cookie.ts';
import {
  ADDRESS,
  ada,
  type GuidedScene,
  guidedScene,
  QUESTION,
  SIGN_IN_FIRST,
  stranger,
  verified,
} from './linking-scene.ts';
import { leadsExactlyTo, leadsTo, startsSession } from './scene.ts';

const { email_verified: _, ...unclaimed } = verified;

describe.each(['jwt', 'database'] as const)('guided linking with %s sessions', (strategy) => {
  /** Ada has one account, and her browser has an offer: her account at the second provider has her address. */
  async function offeredApp(options: Parameters<typeof guidedScene>[0] = {}): Promise<GuidedScene> {
    const app = guidedScene({ strategy, ...options });
    await app.signInAda();
    await app.signOut();
    expect(leadsExactlyTo(await app.signInSecond(verified))).toBe(SIGN_IN_FIRST);
    return app;
  }

  it('signed out, a free address becomes a user', async () => {
    const app = guidedScene({ strategy });
    expect(startsSession(await app.signInSecond(stranger))).toBe(true);
    expect(app.accountsOf(stranger.email)).toEqual(['second:gmail']);
    expect(app.hasOffer()).toBe(false);
  });

  it.each([
    ['with mailed links', false, '/auth/verify-request?provider=mail&type=email&code=1'],
    ['without', true, '/auth/signin?error=OAuthCreateAccount'],
  ])(
    'signed out, an address that is not verified gets one answer, free or taken, %s',
    async (_, withoutMail, answer) => {
      for (const isTaken of [true, false]) {
        const app = guidedScene({ strategy, withoutMail });
        if (isTaken) await app.adapter.createUser({ id: 'ada', email: ADDRESS, emailVerified: new Date(0) });
        const page = await app.signInSecond({ ...verified, email_verified: false });
        expect([leadsTo(page), startsSession(page), app.hasOffer()]).toEqual([answer, false, false]);
        expect(app.accountsOf()).toEqual([]);
      }
    },
  );

  it('signed out, a taken address that is verified is offered to its user, who is asked after the sign-in', async () => {
    const app = await offeredApp();
    expect(await app.session()).toBeNull();
    const question = await app.question(await app.signInAda());
    expect(question.text()).toMatch(
      /<h1>Add <bdi>Second<\/bdi> \(<bdi>ada@example.com<\/bdi>\) to <bdi>ada@example.com<\/bdi>\?<\/h1>/,
    );
    // "Add" is the only primary button, and nothing has gone wrong yet.
    expect(question.text().match(/class="button[^"]*"><span>(Add|Not)/g)).toEqual([
      'class="button"><span>Add',
      'class="button quiet"><span>Not',
    ]);
    expect(question.text()).not.toContain('role="alert"');
    expect(app.accountsOf()).toEqual(['fake:ada']);
    const started = await app.answer(question, 'Add Second');
    expect(started.redirect?.searchParams.get('login_hint')).toBe(ADDRESS);
    const done = await app.comeBack(started, verified);
    expect([leadsTo(done), startsSession(done)]).toEqual(['/home', true]);
    expect(app.accountsOf()).toEqual(['fake:ada', 'second:ada-2']);
    expect(app.hasOffer()).toBe(false);
    expect(app.log.errors).toEqual([]);
  });

  it('signed out, a taken address without a claim is offered, if no mail can prove it', async () => {
    const app = guidedScene({ strategy, withoutMail: true });
    await app.signInAda();
    await app.signOut();
    app.second.overrides.idToken = { claims: ({ email_verified, ...claims }) => claims };
    expect(leadsExactlyTo(await app.signInSecond(unclaimed))).toBe(SIGN_IN_FIRST);
    await app.question(await app.signInAda());
  });

  it('the sign-in page after an offer has the ways in of the user, if the address is verified', async () => {
    const waysOn = async (app: GuidedScene) => {
      const page = await app.browser.get(app.browser.history.at(-1)?.location ?? '');
      return app.browser.forms(page).map(({ action }) => new URL(action).pathname.replace(/.*signin./, ''));
    };
    const offered = await offeredApp();
    expect(await waysOn(offered)).toEqual(['mail', 'fake']);
    // The page has no button of the provider that it names.
    expect(offered.browser.history.at(-1)?.text()).toContain('Sign in as before, then add Second');
    // Without a claim, the visitor may not be the owner of the address.
    const app = guidedScene({ strategy, withoutMail: true });
    await app.signInAda();
    await app.signOut();
    app.second.overrides.idToken = { claims: ({ email_verified, ...claims }) => claims };
    await app.signInSecond(unclaimed);
    expect(await waysOn(app)).toEqual(['fake', 'second']);
  });

  it('the sign-in page after an offer has all ways if the user of the offer cannot sign in with any', async () => {
    const app = guidedScene({ strategy, withoutMail: true });
    await app.signInAda();
    const [account] = app.adapter.store.accounts.values();
    await app.adapter.unlinkAccount({ provider: 'fake', providerAccountId: account?.providerAccountId ?? '' });
    const userId = account?.userId ?? '';
    await app.adapter.linkAccount({ provider: 'not-configured', providerAccountId: 'ada', type: 'oidc', userId });
    await app.signOut();
    const page = await app.browser.follow(await app.signInSecond(verified));
    const actions = app.browser.forms(page).map(({ action }) => new URL(action).pathname);
    expect(actions).toEqual(['/auth/signin/fake', '/auth/signin/second']);
  });

  it('the sign-in page after an offer has the password: without the option `account`, any user may have one', async () => {
    const second = new FakeProvider({ issuer: 'https://second.test', signingAlgorithm: 'ES256' });
    const app = application({
      adapter: memoryAdapter(),
      config: ({ provider }) => ({
        providers: [
          provider.provider({ name: 'First' }),
          second.provider({ id: 'second', name: 'Second' }),
          Credentials({ authorize: () => null }),
        ],
        session: { strategy: 'jwt' },
        linking: 'guided',
      }),
    });
    await app.signIn({ consent: { user: ada } });
    await app.signOut();
    const started = await app.startSignIn('second');
    const offered = await app.open(await second.authorize(started.location ?? '', { user: verified }));
    const actions = app.browser.forms(await app.browser.follow(offered)).map(({ action }) => new URL(action).pathname);
    expect(actions.sort()).toEqual(['/auth/callback/credentials', '/auth/signin/fake']);
  });

  it('an account of a plain OAuth provider is offered and added, too', async () => {
    const plain = new FakeProvider({ oidc: false, issuer: 'https://plain.test' });
    const app = application({
      adapter: memoryAdapter(),
      config: ({ provider }) => ({
        providers: [provider.provider({ name: 'First' }), plain.plainProvider({ id: 'plain', name: 'Plain' })],
        session: { strategy },
        linking: 'guided',
      }),
    });
    await app.signIn({ consent: { user: ada } });
    const comeBack = async (page: Page): Promise<Page> =>
      app.open(await plain.authorize(page.location ?? '', { user: stranger }));
    const question = await app.browser.follow(await comeBack(await app.startSignIn('plain')));
    const form = app.browser.form(question);
    expect(form.action).toBe('http://localhost:3000/auth/offer');
    await comeBack(await app.browser.submit(form));
    expect(app.adapter.dump().accounts.map(({ provider }) => provider)).toEqual(['fake', 'plain']);
  });

  it('the sign-in page has all ways if the offer is of another browser', async () => {
    const app = await offeredApp();
    const page = await app.visitor().get(SIGN_IN_FIRST);
    expect(page.text()).toContain('/auth/signin/second');
  });

  it('the user of the offer is asked after a mailed link, too', async () => {
    const app = await offeredApp();
    const link = await app.mailedLink(ADDRESS, { callbackUrl: '/home' });
    await app.question(await app.open(link));
  });

  it('the user is asked once', async () => {
    const app = await offeredApp();
    const first = await app.signInAda();
    await app.question(first);
    // The page can be loaded again, but another sign-in does not lead to it.
    expect((await app.browser.get(first.location ?? '')).status).toBe(200);
    expect(leadsTo(await app.signInAda())).toBe('/home');
  });

  it('another user who signs in is not asked, and the offer is gone', async () => {
    const app = await offeredApp();
    expect(leadsTo(await app.signInSecond(stranger))).toBe('/home');
    expect(app.hasOffer()).toBe(false);
    await app.signOut();
    expect(leadsTo(await app.signInAda())).toBe('/home');
  });

  it('"Not now" removes the offer', async () => {
    const app = await offeredApp();
    const answered = await app.answer(await app.question(await app.signInAda()), 'Not now');
    expect([leadsTo(answered), app.hasOffer()]).toEqual(['/home', false]);
    expect(leadsTo(await app.signInAda())).toBe('/home');
    expect(app.accountsOf()).toEqual(['fake:ada']);
  });

  it('the offer of another browser is removed', async () => {
    const app = await offeredApp();
    const other = app.visitor();
    await app.csrfToken(other);
    const stolen = app.browser.cookies.all().find(({ name }) => name === 'authjs.offer');
    other.cookies.set('authjs.offer', stolen?.value ?? '');
    expect(leadsTo(await app.signInAda(other))).toBe('/home');
    expect(app.hasOffer(other)).toBe(false);
    expect(leadsTo(await other.get('/auth/offer?callbackUrl=/home'))).toBe('/home');
  });

  it.each(['provider', 'providerAccountId', 'label', 'userId', 'expires'] as const)(
    'an offer of another version, without `%s`, does not count',
    async (member) => {
      const app = await offeredApp();
      const sealing = { secrets: settingsFor(app.config).sealingSecrets, now: app.clock.now() };
      const option = { name: 'authjs.offer', options: {} };
      const offer = await openCookie(
        { [option.name]: app.browser.cookies.get(option.name)?.value ?? '' },
        option,
        sealing,
      );
      const { value } = await sealCookie(option, { ...offer, [member]: undefined }, { ...sealing, maxAge: 600 });
      app.browser.cookies.set(option.name, value);
      expect(leadsTo(await app.signInAda())).toBe('/home');
      expect(app.hasOffer()).toBe(false);
    },
  );

  it('after 10 minutes the offer is over', async () => {
    const inTime = await offeredApp();
    inTime.clock.advance(599);
    await inTime.question(await inTime.signInAda());
    const app = await offeredApp();
    const late = app.browser.clone();
    const kept = app.browser.cookies.all().find(({ name }) => name === 'authjs.offer');
    app.clock.advance(600);
    late.cookies.set('authjs.offer', kept?.value ?? '');
    expect(leadsTo(await app.signInAda(late))).toBe('/home');
    expect(app.hasOffer(late)).toBe(false);
  });

  it.each<[change: string, make: (app: GuidedScene) => Promise<unknown>]>([
    [
      'the address of the user has changed',
      async ({ adapter }) => {
        const { id = '' } = (await adapter.getUserByEmail?.(ADDRESS)) ?? {};
        return adapter.updateUser?.({ id, email: 'new@example.com' });
      },
    ],
    [
      'the account has got a user',
      async ({ adapter }) => {
        const account = { provider: 'second', providerAccountId: 'ada-2', type: 'oidc' } as const;
        await adapter.createUser?.({ id: 'bob', email: 'bob@example.com', emailVerified: null });
        return adapter.linkAccount?.({ ...account, userId: 'bob' });
      },
    ],
  ])('the offer is removed if %s', async (_, change) => {
    for (const moment of ['before the page', 'before the answer']) {
      const app = await offeredApp();
      const signedIn = await app.signInAda();
      if (moment === 'before the page') await change(app);
      const question = await app.browser.get(signedIn.location ?? '');
      if (moment === 'before the answer') await change(app);
      const end = moment === 'before the page' ? question : await app.answer(question, 'Add Second');
      expect([leadsTo(end), app.hasOffer()], moment).toEqual(['/home', false]);
    }
  });

  it('signed in, a new account is offered at once, and the session stays', async () => {
    const app = guidedScene({ strategy });
    await app.signInAda();
    const offered = await app.signInSecond(stranger);
    expect([leadsTo(offered), startsSession(offered)]).toEqual([QUESTION, false]);
    expect(await app.session()).toMatchObject({ user: { email: ADDRESS } });
    expect(app.accountsOf()).toEqual(['fake:ada']);
    const question = await app.question(offered);
    expect(question.text()).toContain('(<bdi>ada@gmail.example</bdi>) to <bdi>ada@example.com</bdi>?');
    await app.comeBack(await app.answer(question, 'Add Second'), stranger);
    expect(app.accountsOf()).toEqual(['fake:ada', 'second:gmail']);
  });

  it.each([{}, { add: 'true' }])("another user's account is refused, and the session stays (%j)", async (asked) => {
    const app = guidedScene({ strategy });
    await app.signInSecond(stranger, app.visitor());
    await app.signInAda();
    const refused = await app.comeBack(await app.startSignIn('second', asked), stranger);
    expect(leadsTo(refused)).toBe('/auth/signin?error=OAuthAccountNotLinked');
    expect(app.log.errors[0]).toMatchObject({ cause: { reason: 'other-user' } });
    expect(await app.session()).toMatchObject({ user: { email: ADDRESS } });
    expect([app.accountsOf(), app.hasOffer()]).toEqual([['fake:ada'], false]);
  });

  it('a user without address and name is addressed as the owner of the account', async () => {
    const app = guidedScene({ strategy, withoutMail: true });
    await app.signIn({ fields: { callbackUrl: '/home' }, consent: { user: { sub: 'ada' } } });
    const question = await app.question(await app.signInSecond(stranger));
    expect(question.text()).toContain('<h1>Add <bdi>Second</bdi> (<bdi>ada@gmail.example</bdi>) to your account?</h1>');
  });

  it('a user who asks adds any account of the provider', async () => {
    const app = guidedScene({ strategy });
    await app.signInAda();
    const started = await app.startSignIn('second', { callbackUrl: '/home', add: 'true' });
    const done = await app.comeBack(started, stranger);
    expect([leadsTo(done), startsSession(done)]).toEqual(['/home', true]);
    expect(app.accountsOf()).toEqual(['fake:ada', 'second:gmail']);
    expect(app.events.map(([name]) => name)).toEqual(['createUser', 'linkAccount', 'signIn', 'linkAccount', 'signIn']);
  });

  it('a user who agrees adds the offered account only', async () => {
    const app = await offeredApp();
    const started = await app.answer(await app.question(await app.signInAda()), 'Add Second');
    const other = await app.comeBack(started, stranger);
    expect([leadsTo(other), startsSession(other)]).toEqual([`${QUESTION}&chosen=other`, false]);
    expect(app.accountsOf()).toEqual(['fake:ada']);
    const again = await app.browser.get(other.location ?? '');
    expect(again.text()).toContain('Choose <bdi>ada@example.com</bdi> at <bdi>Second</bdi>.');
    await app.comeBack(await app.answer(again, 'Add Second'), verified);
    expect(app.accountsOf()).toEqual(['fake:ada', 'second:ada-2']);
  });

  it('"Add" without the CSRF token is refused', async () => {
    const app = await offeredApp();
    await app.question(await app.signInAda());
    const page = await app.browser.post('/auth/offer', { answer: 'add' });
    expect(leadsTo(page)).toBe('/auth/signin?error=MissingCSRF');
  });

  it('"Add" in the session of another user removes the offer', async () => {
    const app = await offeredApp();
    const question = await app.question(await app.signInAda());
    const offer = app.browser.cookies.all().find(({ name }) => name === 'authjs.offer');
    await app.signOut();
    await app.signInSecond(stranger);
    app.browser.cookies.set('authjs.offer', offer?.value ?? '');
    const page = await app.browser.submit(app.browser.form(question), { csrfToken: await app.csrfToken() });
    expect([leadsTo(page), app.hasOffer()]).toEqual(['/home', false]);
  });

  it('"Add" after a sign-out leads to the sign-in page, and back to the question', async () => {
    const app = await offeredApp();
    const question = await app.question(await app.signInAda());
    await app.signOut();
    const page = await app.browser.submit(app.browser.form(question), { csrfToken: await app.csrfToken() });
    expect(page.redirect?.pathname).toBe('/auth/signin');
    expect(page.redirect?.searchParams.get('error')).toBe('SessionRequired');
    expect(page.redirect?.searchParams.get('callbackUrl')).toBe(`http://localhost:3000${QUESTION}`);
  });

  it('"Add" needs a sign-in of the last 10 minutes, and leads back to the question', async () => {
    const app = guidedScene({ strategy });
    await app.signInAda();
    app.clock.advance(601);
    const question = await app.question(await app.signInSecond(stranger));
    const refused = await app.answer(question, 'Add Second');
    expect(refused.redirect?.pathname).toBe('/auth/account/sign-in');
    const again = await app.browser.get(refused.location ?? '');
    expect(again.text()).toContain('Sign in again');
    const started = await app.browser.submit(app.browser.form(again, 'signin/fake'));
    const back = await app.open(await app.provider.authorize(started.location ?? '', { user: ada }));
    await app.comeBack(await app.answer(await app.question(back), 'Add Second'), stranger);
    expect(app.accountsOf()).toEqual(['fake:ada', 'second:gmail']);
  });

  it('a request to add an account needs a sign-in of the last 10 minutes', async () => {
    const app = guidedScene({ strategy });
    await app.signInAda();
    expect((await app.browser.get('/auth/signin?add')).status).toBe(200);
    app.clock.advance(601);
    const page = await app.browser.get('/auth/signin?add&callbackUrl=/home');
    const posted = await app.startSignIn('second', { callbackUrl: '/home', add: 'true' });
    for (const { redirect } of [page, posted]) {
      expect(redirect?.pathname).toBe('/auth/account/sign-in');
      const back = new URL(redirect?.searchParams.get('callbackUrl') ?? '');
      expect([back.pathname, ...back.searchParams.keys()]).toEqual(['/auth/signin', 'add', 'callbackUrl']);
    }
  });

  it('the page `signin?add` names the user, and adds an account of the chosen provider', async () => {
    const app = guidedScene({ strategy });
    const before = await app.browser.get('/auth/signin?add&callbackUrl=/home');
    expect(before.redirect?.searchParams.get('error')).toBe('SessionRequired');
    await app.signInAda();
    const page = await app.browser.get(before.redirect?.searchParams.get('callbackUrl') ?? '');
    expect(page.text()).toContain('You are signed in as <bdi>ada@example.com</bdi>.');
    expect(page.text()).not.toContain('step=passkey');
    expect(page.text()).not.toContain('There is no further way to sign in');
    expect(page.text()).toContain('name="callbackUrl" value="http://localhost:3000/home"');
    const form = app.browser.form(page, 'signin/second');
    expect(form.buttons[0]?.text).toBe('Add Second');
    expect(leadsTo(await app.comeBack(await app.browser.submit(form), stranger))).toBe('/home');
    expect(app.accountsOf()).toEqual(['fake:ada', 'second:gmail']);
  });

  it('the page `signin?add` says that there is no way to add', async () => {
    const app = application({
      adapter: memoryAdapter(),
      config: ({ mail }) => ({ providers: [mail], session: { strategy }, linking: 'guided' }),
    });
    await app.open(await app.mailedLink(ADDRESS));
    const page = await app.browser.get('/auth/signin?add');
    expect(page.text()).toContain('<p class="message">There is no further way to sign in.</p>');
  });

  it.each(['signed out', 'as another user'])('a request to add an account ends with its session: %s', async (now) => {
    const app = guidedScene({ strategy });
    await app.signInAda();
    const started = await app.startSignIn('second', { add: 'true' });
    await app.signOut();
    if (now !== 'signed out') await app.signIn({ consent: { user: { ...stranger, sub: 'bob' } } });
    const refused = await app.comeBack(started, { ...stranger, email: 'free@example.com' });
    expect(leadsTo(refused)).toBe('/auth/signin?error=OAuthAccountNotLinked');
    expect(app.log.errors[0]?.message).toMatch(/not signed in any more/);
    expect(app.adapter.dump().accounts.map(({ provider }) => provider)).not.toContain('second');
  });

  it('a refusal of the `signIn` callback is `AccessDenied`, and nothing is offered or added', async () => {
    let isRefusing = true;
    const callbacks = {
      signIn: ({ account }: { account?: { provider: string } | null | undefined }) =>
        account?.provider !== 'second' || !isRefusing,
    };
    const app = guidedScene({ strategy, config: { callbacks } });
    await app.signInAda();
    expect(leadsTo(await app.signInSecond(stranger))).toBe('/auth/error?error=AccessDenied');
    expect(app.hasOffer()).toBe(false);
    isRefusing = false;
    const question = await app.question(await app.signInSecond(stranger));
    isRefusing = true;
    const refused = await app.comeBack(await app.answer(question, 'Add Second'), stranger);
    expect(leadsTo(refused)).toBe('/auth/error?error=AccessDenied');
    expect(app.accountsOf()).toEqual(['fake:ada']);
  });

  it('an address that its user has not proven is offered; the proof by mail removes passkeys', async () => {
    const app = guidedScene({ strategy });
    await app.adapter.createUser({ id: 'ada', email: ADDRESS, emailVerified: null });
    await app.adapter.linkAccount({ userId: 'ada', provider: 'passkey', providerAccountId: 'key', type: 'webauthn' });
    await app.adapter.createAuthenticator({ ...passkey, userId: 'ada' });
    expect(leadsExactlyTo(await app.signInSecond(verified))).toBe(SIGN_IN_FIRST);
    expect(app.accountsOf()).toEqual(['passkey:key']);
    const question = await app.question(await app.open(await app.mailedLink(ADDRESS, { callbackUrl: '/home' })));
    expect(app.accountsOf()).toEqual([]);
    await app.comeBack(await app.answer(question, 'Add Second'), verified);
    expect(app.accountsOf()).toEqual(['second:ada-2']);
  });

  it('an account whose id is too long for a cookie is refused', async () => {
    const app = guidedScene({ strategy });
    await app.signInAda();
    const page = await app.signInSecond({ ...stranger, sub: 'x'.repeat(4000) });
    expect(leadsTo(page)).toBe('/auth/signin?error=OAuthAccountNotLinked');
    expect(app.hasOffer()).toBe(false);
  });

  it('the page shows 254 characters of the name of an account', async () => {
    const app = guidedScene({ strategy });
    await app.signInAda();
    const question = await app.question(await app.signInSecond({ sub: 'nameless', name: 'n'.repeat(300) }));
    expect(question.text()).toContain(`(<bdi>${'n'.repeat(254)}</bdi>)`);
  });

  it('a user with a similar address gets no offer', async () => {
    const memory = memoryAdapter();
    const adapter: Adapter = { ...memory, getUserByEmail: (email) => memory.getUserByEmail(email.replace('é', 'e')) };
    await memory.createUser({ id: 'bob', email: 'rene@example.com', emailVerified: new Date(0) });
    const app = guidedScene({ strategy, config: { adapter } });
    const page = await app.signInSecond({ ...stranger, email: 'rené@example.com' });
    expect([leadsTo(page), app.hasOffer()]).toEqual(['/auth/signin?error=OAuthAccountNotLinked', false]);
  });

  it('works where the host framework checks the origin of forms', async () => {
    const app = guidedScene({ strategy, call: { forms: 'same-origin' } });
    const start = (id: string) => app.browser.post(`/auth/signin/${id}`, { callbackUrl: '/home' });
    await app.open(await app.provider.authorize((await start('fake')).location ?? '', { user: ada }));
    const question = await app.question(await app.comeBack(await start('second'), stranger));
    expect(question.text()).not.toContain('csrfToken');
    await app.comeBack(await app.answer(question, 'Add Second'), stranger);
    expect(app.accountsOf()).toEqual(['fake:ada', 'second:gmail']);
    const page = await app.browser.post('/auth/offer', { answer: 'add' }, { site: 'cross-site' });
    expect(leadsTo(page)).toBe('/auth/signin?error=MissingCSRF');
  });

  it('a provider that may link by address still does so', async () => {
    const app = guidedScene({ strategy, second: { allowDangerousEmailAccountLinking: true } });
    await app.signInAda();
    await app.signOut();
    expect(startsSession(await app.signInSecond(verified))).toBe(true);
    expect(app.accountsOf()).toEqual(['fake:ada', 'second:ada-2']);
  });
});

describe('the option `linking`', () => {
  it.each([
    ['guided', undefined, '`linking` needs an `adapter`. Add one, or remove `linking`'],
    ['always', memoryAdapter(), '`linking` must be "guided". Correct it, or leave it out'],
  ])('%s is a problem of the configuration', async (linking, adapter, problem) => {
    const app = application({ config: { linking: linking as 'guided', ...(adapter && { adapter }) } });
    expect((await app.browser.get('/auth/session')).status).toBe(500);
    expect(app.log.errors.map(({ message }) => message)).toEqual([expect.stringContaining(problem)]);
  });

  it('that is not set changes nothing: no offer, no page, and `add` means nothing', async () => {
    const app = guidedScene({ config: { linking: undefined } });
    expect((await app.browser.get('/auth/offer')).status).toBe(400);
    expect((await app.browser.get('/auth/signin?add')).text()).toContain('<h1>Sign in</h1>');
    await app.signInAda();
    app.clock.advance(601);
    await app.comeBack(await app.startSignIn('second', { add: 'true' }), stranger);
    expect(app.accountsOf()).toEqual(['fake:ada', 'second:gmail']);
    await app.signOut();
    const refused = await app.signInSecond(verified);
    expect([leadsTo(refused), app.hasOffer()]).toEqual(['/auth/signin?error=OAuthAccountNotLinked', false]);
  });
});

const passkey = {
  credentialID: 'key',
  providerAccountId: 'key',
  credentialPublicKey: 'AA==',
  counter: 0,
  credentialDeviceType: 'multiDevice',
  credentialBackedUp: true,
  transports: null,
};
