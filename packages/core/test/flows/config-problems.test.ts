import { application, memoryAdapter } from '@latchkey/testing';
import { describe, expect, it } from 'vitest';
import Credentials from '../../src/providers/credentials.ts';
import Passkey from '../../src/providers/passkey.ts';
import { methodNames, methods } from '../../src/store/methods.ts';
import type { AdapterLike } from '../../src/types/adapter.ts';
import type { AuthConfig } from '../../src/types/config.ts';
import { oneDoor } from './doors.ts';
import { fakeProvider, leadsTo, oauth, oidc, scene, startsSession } from './scene.ts';

const fake = fakeProvider();
const email = {
  id: 'email',
  name: 'Email',
  type: 'email' as const,
  sendVerificationRequest: () => undefined,
};
const passkey = Passkey();
const adapter = memoryAdapter();
const webauthn = { experimental: { enableWebAuthn: true } };
const thrower = (): never => {
  throw new Error('no parameter');
};
const unreadable = {
  id: 'unreadable',
  name: 'Unreadable',
  get type(): never {
    throw new Error('no type');
  },
};

/** The problem, its type in the log, and a word of the remedy. */
const problems: [what: string, config: object, type: string, remedy: RegExp][] = [
  ['the host is not trusted', { trustHost: undefined }, 'UntrustedHost', /AUTH_URL.*AUTH_TRUST_HOST/],
  ['the host is trusted as text', { trustHost: 'false' }, 'UntrustedHost', /trustHost: true/],
  ['there is no secret', { secret: undefined }, 'MissingSecret', /AUTH_SECRET/],
  ['the secret is empty', { secret: '' }, 'MissingSecret', /openssl rand/],
  ['the list of secrets is empty', { secret: [] }, 'MissingSecret', /cli secret --write .env/],
  ['providers is no list', { providers: {} }, 'AuthError', /`\[\]`/],
  ['the strategy is unknown', { session: { strategy: 'redis' } }, 'UnsupportedStrategy', /"jwt" or "database"/],
  ['database sessions lack an adapter', { session: { strategy: 'database' } }, 'MissingAdapter', /strategy: "jwt"/],
  [
    'the adapter lacks methods',
    { adapter: { getUser: () => null } },
    'MissingAdapterMethods',
    /createUser.*deleteSession/,
  ],
  ['a time is text', { session: { maxAge: '1d' } }, 'AuthError', /session\.maxAge.*number/],
  ['a time is negative', { jwt: { maxAge: -1 } }, 'AuthError', /jwt\.maxAge.*number/],
  [
    'a __Host- cookie has a Domain, and whether the site is secure is left open with null',
    { useSecureCookies: null, cookies: { csrfToken: { options: { domain: 'x.test' } } } },
    'AuthError',
    /Remove options\.domain/,
  ],
  [
    'a __Host- cookie has a Domain',
    { cookies: { csrfToken: { options: { domain: 'x.test' } } } },
    'AuthError',
    /__Secure-/,
  ],
  [
    'two cookies have one name',
    { cookies: { state: { name: 'n' }, nonce: { name: 'n' } } },
    'AuthError',
    /name of its own/,
  ],
  [
    'the prefix is another',
    { cookies: { prefix: '__Secure-' } },
    'AuthError',
    /`cookies\.prefix` must be "__Host-"\. C/,
  ],
  [
    'names migrate without a prefix',
    { cookies: { migrate: { from: new Date(1), until: new Date(2) } } },
    'AuthError',
    /`cookies\.migrate` needs `cookies\.prefix`\. Set/,
  ],
  ...[{ from: new Date(2), until: new Date(2) }, { from: '2027-01-10', until: new Date(2) }, {}, 'soon'].map(
    (migrate): [string, object, string, RegExp] => [
      `the migration of names is ${JSON.stringify(migrate)}`,
      { cookies: { prefix: '__Host-', migrate } },
      'AuthError',
      /`cookies\.migrate\.from` must be a date before `cookies\.migrate\.until`\. Set/,
    ],
  ),
  ...(['domain', 'path', 'secure'] as const).map((option): [string, object, string, RegExp] => [
    `the prefix does not fit ${option}`,
    { cookies: { prefix: '__Host-', sessionToken: { options: { domain: 'x.test', path: '/a', secure: false } } } },
    'AuthError',
    new RegExp(
      `\`cookies\\.prefix\` cannot be combined with \`cookies\\.sessionToken\\.options\\.${option}\`\\. Remove`,
    ),
  ]),
  [
    'a prefixed name is the one that the application has chosen for another cookie',
    { cookies: { prefix: '__Host-', state: { name: '__Host-authjs.nonce' } } },
    'AuthError',
    /two of the cookies have this name/,
  ],
  ['the base path is a number', { basePath: 5 }, 'AuthError', /`basePath` must be a string, but is of type number/],
  ['the secret is a number', { secret: 5 }, 'AuthError', /`secret` must be a string or a list/],
  ['a list of secrets has a number', { secret: [5] }, 'AuthError', /`secret` must be .* type list/],
  ['the secret of tokens is a number', { jwt: { secret: 5 } }, 'AuthError', /`jwt\.secret` must be/],
  ['a token format is text', { jwt: { decode: 'hs256' } }, 'AuthError', /`jwt\.decode` must be a function/],
  ['the session is text', { session: 'jwt' }, 'AuthError', /`session` must be an object/],
  ['the token maker is text', { session: { generateSessionToken: 'x' } }, 'AuthError', /generateSessionToken` must be/],
  ['the callbacks are a function', { callbacks: () => true }, 'AuthError', /`callbacks` must be an object/],
  ['a callback is an object', { callbacks: { jwt: {} } }, 'AuthError', /`callbacks\.jwt` must be a function/],
  ['the cookies are a list', { cookies: ['sid'] }, 'AuthError', /`cookies` must be an object/],
  ['the pages are text', { pages: '/login' }, 'AuthError', /`pages` must be an object/],
  ['the theme is text', { theme: 'dark' }, 'AuthError', /`theme` must be an object/],
  ['a color is a number', { theme: { brandColor: 5 } }, 'AuthError', /`theme\.brandColor` must be a string/],
  ['the adapter is text', { adapter: 'sqlite' }, 'AuthError', /`adapter` must be an object or a function/],
  ['secure cookies are text', { useSecureCookies: 'false' }, 'AuthError', /`useSecureCookies` must be `true`/],
  ['the list of deployments is text', { redirectProxyOrigins: 'https://a.test' }, 'AuthError', /must be a list of str/],
  [
    'a page is a script',
    { pages: { signIn: 'javascript:alert(1)' } },
    'AuthError',
    /`pages\.signIn` \("javascript:alert/,
  ],
  ['a page is data', { pages: { error: 'data:text/html,x' } }, 'AuthError', /`pages\.error`.* http or https URL/],
  ['a page is of another scheme', { pages: { newUser: 'app://home' } }, 'AuthError', /`pages\.newUser`.* like \/login/],
  ['a page is a number', { pages: { signOut: 5 } }, 'AuthError', /`pages\.signOut` \(5\) must be a path/],
];

/** Problems of one provider, or of the options that it needs. */
const ofOneProvider: typeof problems = [
  ['a provider is text', { providers: ['github'] }, 'AuthError', /provider object/],
  ['a provider is null', { providers: [null] }, 'AuthError', /provider object/],
  [
    'the redirect proxy is a path',
    { redirectProxyUrl: '/api/auth' },
    'InvalidEndpoints',
    /`redirectProxyUrl` must be an absolute URL\. \w/,
  ],
  [
    'the redirect proxy of a provider has no scheme',
    { providers: [oidc(fake, { redirectProxyUrl: 'app.example/auth' })] },
    'InvalidEndpoints',
    /"fake".*`redirectProxyUrl` must be an absolute URL\. \w/,
  ],
  ['two providers have one id', { providers: [oidc(fake), oidc(fake)] }, 'AuthError', /another `id`/],
  ['a provider id is a path', { providers: [oidc(fake, { id: 'a/b' })] }, 'AuthError', /Use letters/],
  ['a provider has no type', { providers: [{ id: 'x', name: 'X' }] }, 'AuthError', /"oidc", "oauth"/],
  [
    'a plain provider has no endpoints',
    { providers: [oauth(fake, { token: undefined, userinfo: undefined })] },
    'InvalidEndpoints',
    /missing: token, userinfo.*AUTH_PLAIN_ISSUER/,
  ],
  [
    'an OpenID provider has no issuer',
    { providers: [oidc(fake, { issuer: undefined })] },
    'InvalidEndpoints',
    /AUTH_FAKE_ISSUER/,
  ],
  [
    'an OpenID provider has endpoints but no issuer',
    {
      providers: [
        oidc(fake, {
          issuer: undefined,
          authorization: 'https://a.test',
          token: 'https://a.test',
          userinfo: 'https://a.test',
        }),
      ],
    },
    'InvalidEndpoints',
    /cannot be checked.*AUTH_FAKE_ISSUER/,
  ],
  [
    'an issuer is http',
    { providers: [oidc(fake, { issuer: 'http://idp.test' })] },
    'InvalidEndpoints',
    /allowInsecureIssuer/,
  ],
  [
    'an endpoint is javascript',
    { providers: [oauth(fake, { authorization: 'javascript:alert(1)' })] },
    'InvalidEndpoints',
    /https/,
  ],
  ['an endpoint is no address', { providers: [oauth(fake, { token: 'token' })] }, 'InvalidEndpoints', /https/],
  [
    'credentials lack authorize',
    { providers: [{ id: 'c', name: 'C', type: 'credentials' }] },
    'MissingAuthorize',
    /Add the function/,
  ],
  [
    'a factory needs options',
    { providers: [(options: { x: { y: 1 } }) => ({ id: options.x.y })] },
    'AuthError',
    /with the options/,
  ],
  ['email lacks an adapter', { providers: [email] }, 'MissingAdapter', /Add an `adapter`/],
  ['passkeys lack an adapter', { providers: [passkey], ...webauthn }, 'MissingAdapter', /Add an `adapter`/],
  [
    'passkeys are not switched on',
    { providers: [passkey], adapter },
    'ExperimentalFeatureNotEnabled',
    /enableWebAuthn: true/,
  ],
  [
    'the redirect proxy is of another scheme',
    { redirectProxyUrl: 'app.example:443/auth' },
    'InvalidEndpoints',
    /`redirectProxyUrl` must be an absolute URL\. \w/,
  ],
  ['the redirect proxy is a number', { redirectProxyUrl: 5 }, 'InvalidEndpoints', /must be an absolute URL\. \w/],
  ['a provider has no id', { providers: [{ name: 'X', type: 'oidc' }] }, 'AuthError', /Use letters/],
  ['an issuer is a placeholder', { providers: [oidc(fake, { issuer: 'empty' })] }, 'InvalidEndpoints', /https URL/],
  ['an issuer is a number', { providers: [oidc(fake, { issuer: 5 as never })] }, 'InvalidEndpoints', /https URL/],
  [
    'a parameter of a provider throws',
    { providers: [oauth(fake, { authorization: { url: fake.endpoints.authorization, params: { x: thrower } } })] },
    'AuthError',
    /provider "plain" cannot be read: no parameter/,
  ],
  [
    'the checks are a number',
    { providers: [oidc(fake, { checks: 5 as never })] },
    'AuthError',
    /"fake" cannot be read/,
  ],
  [
    'the policy for addresses is the one of an earlier version',
    { providers: [oidc(fake, { unverifiedEmail: 'unshared' as never })] },
    'AuthError',
    /"fake": `unverifiedEmail` must be "verify", "refuse" or "allow"/,
  ],
  [
    'an address is to be verified by mail, but no provider mails links',
    { providers: [oidc(fake, { unverifiedEmail: 'verify' })] },
    'AuthError',
    /"fake": `unverifiedEmail: "verify"` needs an email provider\. Add one, or use "refuse" or "allow"/,
  ],
  [
    'a typed address is to be verified by mail, but no provider mails links',
    { providers: [Passkey({ unverifiedEmail: 'verify' })], ...webauthn, adapter },
    'AuthError',
    /"passkey": `unverifiedEmail: "verify"` needs an email provider/,
  ],
  [
    'a provider vouches for addresses in an unknown way',
    { providers: [oidc(fake, { emailVerification: true as never })] },
    'AuthError',
    /"fake": `emailVerification` must be "always", "claim" or "never"/,
  ],
  ['a provider throws when it is read', { providers: [unreadable] }, 'AuthError', /cannot be read: no type/],
  [
    'a mailed link expires at once',
    { providers: [{ ...email, maxAge: 0 }], adapter },
    'AuthError',
    /"email": `maxAge` must be a number/,
  ],
  [
    'an email provider sends no mail',
    { providers: [{ ...email, sendVerificationRequest: undefined }], adapter },
    'AuthError',
    /Add the function that mails the link/,
  ],
  [
    'the adapter lacks methods of passkeys',
    { providers: [passkey], ...webauthn, adapter: { ...adapter, getAuthenticator: undefined } },
    'MissingAdapterMethods',
    /needs: getAuthenticator\./,
  ],
  [
    'a passkey is for a domain with a scheme',
    { providers: [Passkey({ relayingParty: { id: 'https://a.test' } })], ...webauthn, adapter },
    'AuthError',
    /must be a domain/,
  ],
];

/** The id of the provider that a row concerns; `undefined` if no request can name it. */
function usableId(config: object): string | undefined {
  const [entry] = (config as Partial<AuthConfig>).providers ?? [oidc(fake)];
  const id: unknown = typeof entry === 'object' && entry !== null ? entry.id : undefined;
  return typeof id === 'string' && id !== 'a/b' ? id : undefined;
}

describe.each(oneDoor)('a wrong configuration through $name', (door) => {
  it.each(problems)('is logged with its remedy if %s', async (_, config, type, remedy) => {
    const app = scene(door, config as Partial<AuthConfig>);
    const page = await app.browser.get('/auth/csrf');
    expect(page.status).toBe(500);
    expect(app.log.types()).toContain(type);
    expect(app.log.errors.map(({ message }) => message).join('\n')).toMatch(remedy);
    expect(page.setCookies).toEqual([]);
  });

  it.each(ofOneProvider)('leaves everything else working if %s', async (_, config, type, remedy) => {
    const good = fakeProvider();
    const { providers = [oidc(fake)], ...others } = config as Partial<AuthConfig>;
    // A redirect proxy of its own, so that the common one does not concern it.
    const own = 'redirectProxyUrl' in others ? { redirectProxyUrl: 'http://localhost:3000/auth' } : {};
    const app = scene(door, { ...others, providers: [...providers, oidc(good, { id: 'good', ...own })] });
    expect((await app.browser.get('/auth/csrf')).status).toBe(200);
    expect(app.log.types()).toEqual([type]);
    expect(app.log.errors[0]?.message).toMatch(remedy);
    expect((await app.browser.get('/auth/providers')).json()).toHaveProperty('good');
    const page = await app.browser.get('/auth/signin');
    expect(page.status).toBe(200);
    expect(page.text()).toContain('action="http://localhost:3000/auth/signin/good"');
    expect(startsSession(await app.signIn(good, { id: 'good' }))).toBe(true);
    expect(await app.session()).not.toBeNull();
    expect((await app.post('signout')).status).toBe(302);
    expect(await app.session()).toBeNull();
    expect(app.log.types()).toEqual([type]);
  });

  it.each(ofOneProvider.filter(([, config]) => usableId(config)))(
    'refuses the provider when it is used if %s',
    async (_, config) => {
      const app = scene(door, { providers: [oidc(fake)], ...(config as Partial<AuthConfig>) });
      const id = usableId(config) ?? '';
      const answers = [await app.post(`signin/${id}`), await app.browser.get(`/auth/callback/${id}`)];
      const { reference } = app.log.errors[0]?.cause ?? {};
      for (const page of answers) {
        expect(leadsTo(page)).toBe(
          `/auth/error?${new URLSearchParams({ error: 'Configuration', reference: String(reference) })}`,
        );
        expect(startsSession(page)).toBe(false);
      }
      expect(app.log.errors).toHaveLength(1);
    },
  );

  it('of one provider is shown in development to those who use it', async () => {
    const providers = [oidc(fake, { issuer: 'empty' })];
    const app = scene(door, { providers }, { call: { development: true } });
    expect((await app.browser.get('/auth/signin')).text()).not.toContain('InvalidEndpoints');
    const page = await app.post('signin/fake');
    expect(page.status).toBe(500);
    expect(page.text()).toContain('must be an https URL');
  });

  it('of one provider refuses the options of its passkeys with JSON', async () => {
    const app = scene(door, { providers: [passkey], adapter });
    const page = await app.browser.get('/auth/webauthn-options/passkey');
    expect(page.status).toBe(500);
    expect(page.json()).toHaveProperty('reference', app.log.errors[0]?.cause?.['reference']);
  });

  it('is logged if an event handler is text', async () => {
    const { config, log } = scene(door, {});
    const own = { ...config, events: { signIn: 'x' } } as unknown as AuthConfig;
    expect((await door.ask(new Request('http://localhost:3000/auth/session'), own)).status).toBe(500);
    expect(log.errors[0]?.message).toContain('`events.signIn` must be a function');
  });

  const wrong: Partial<AuthConfig> = {
    trustHost: undefined,
    secret: undefined,
    providers: [oidc(fake, { issuer: undefined }), Credentials({ authorize: null as never })],
  };

  it('is logged completely, once, under a reference, which is all that a client learns', async () => {
    const app = scene(door, wrong);
    for (let count = 0; count < 3; count++) {
      const page = await app.browser.get('/auth/csrf');
      expect(page.status).toBe(500);
      expect(page.headers.get('cache-control')).toBe('private, no-store');
      const body = page.json<{ message: string; reference: string }>();
      expect(body.message).toContain(body.reference);
      expect(page.text()).not.toMatch(/secret|issuer|authorize/i);
      expect(app.log.errors.map(({ cause }) => cause?.reference)).toEqual(
        Array.from({ length: 4 }, () => body.reference),
      );
    }
    expect(app.log.types()).toEqual(['UntrustedHost', 'MissingSecret', 'InvalidEndpoints', 'MissingAuthorize']);
  });

  it('answers posts with JSON, does nothing, and makes no session', async () => {
    const app = scene(door, wrong);
    for (const path of ['signin', 'signin/fake', 'signout', 'session', 'callback/credentials']) {
      const page = await app.browser.post(`/auth/${path}`, {});
      expect(page.status).toBe(500);
      expect(page.setCookies).toEqual([]);
    }
  });

  it.each(['/oops', 'http://localhost:3000/oops?y'])('does not redirect in a circle from %s', async (callbackUrl) => {
    const app = scene(door, { ...wrong, pages: { error: '/oops' } });
    const page = await app.browser.get(`/auth/signin?${new URLSearchParams({ callbackUrl })}`);
    expect(page.status).toBe(500);
    expect(page.redirect).toBeUndefined();
    expect(app.log.types()).toContain('ErrorPageLoop');
  });

  it.each([
    ['the limits', { rateLimit: { limit: 5 } as never }],
    ['a page', { pages: { signIn: 'javascript:alert(1)' } }],
    [
      'a page, beside many other options',
      {
        pages: { signIn: 'javascript:alert(1)' },
        cookies: { sessionToken: { name: 'sid', options: {} } },
        redirectProxyUrl: 'https://preview.example/auth',
      },
    ],
  ])('of %s does not prevent reading a session', async (_, config) => {
    const app = scene(door, { providers: [oidc(fake)], ...config });
    for (const status of [200, 200]) expect((await app.browser.get('/auth/session')).status).toBe(status);
    expect(app.log.errors).toEqual([]);
    expect((await app.browser.get('/auth/providers')).status).toBe(500);
    expect((await app.browser.get('/auth/session')).status).toBe(200);
  });

  it.each([
    ['a cookie', { cookies: { sessionToken: { name: '__Host-sid', options: { path: '/auth' } } } }, 'AuthError'],
    ['a time', { session: { maxAge: -1 } }, 'AuthError'],
  ])('of %s prevents reading a session', async (_, config, type) => {
    const app = scene(door, { providers: [oidc(fake)], ...config });
    expect((await app.browser.get('/auth/session')).status).toBe(500);
    expect(app.log.types()).toContain(type);
  });

  it('works from the first request after it is corrected', async () => {
    const app = scene(door, { providers: [oidc(fake)], secret: undefined });
    expect((await app.browser.get('/auth/csrf')).status).toBe(500);
    app.config.secret = 'a-secret-that-was-forgotten-at-first-32';
    expect(startsSession(await app.signIn(fake))).toBe(true);
  });
});

describe('an adapter without a method of Auth.js v5', () => {
  const optional = ['deleteUser', 'unlinkAccount'];
  const needed = methodNames.filter((name) => !methods[name].beyondAuthJs && !optional.includes(name));

  it.each(needed)('is refused before the first sign-in, and the log names `%s`', async (method) => {
    const app = application({
      adapter: { ...memoryAdapter({ optional: false }), [method]: undefined },
      config: ({ provider, mail }) => ({ providers: [provider.provider(), mail, passkey], ...webauthn }),
    });
    const page = await app.browser.get('/auth/signin');
    if (methods[method].neededFor?.includes('database sessions')) {
      expect(page.status).toBe(500);
      expect(page.text()).toContain('Sign-in does not work right now');
    } else {
      expect(page.status).toBe(200);
      expect((await app.browser.get('/auth/webauthn-options/passkey')).status).toBe(
        methods[method].neededFor?.includes('webauthn') ? 500 : 200,
      );
    }
    expect(app.log.types()).toEqual(['MissingAdapterMethods']);
    expect(app.log.errors[0]?.message).toContain(`methods that this configuration needs: ${method}.`);
  });

  it('is accepted if the configuration does not need the method', async () => {
    const providers = [Credentials({ authorize: () => ({ id: '1' }) })];
    const app = application({ adapter: {}, config: { session: { strategy: 'jwt' }, providers } });
    expect(startsSession(await app.post('callback/credentials'))).toBe(true);
  });

  it('is accepted for mailed links with database sessions if only accounts need the method', async () => {
    const whole = memoryAdapter({ optional: false });
    const app = application({
      adapter: { ...whole, getUserByAccount: undefined, linkAccount: undefined } as unknown as AdapterLike,
      config: ({ mail }) => ({ providers: [mail] }),
    });
    expect(startsSession(await app.open(await app.mailedLink('ada@example.com')))).toBe(true);
    expect(await app.session()).toMatchObject({ user: { email: 'ada@example.com' } });
  });

  it('is reported for the provider alone if a function makes the adapter', async () => {
    const app = application({
      config: ({ provider, mail }) => ({
        adapter: () => ({ ...memoryAdapter({ optional: false }), createVerificationToken: undefined }) as never,
        providers: [() => thrower(), provider.provider(), mail],
      }),
    });
    expect(startsSession(await app.signIn())).toBe(true);
    expect(await app.session()).not.toBeNull();
    expect(leadsTo(await app.post('signin/mail', { email: 'ada@example.com' }))).toContain('error=Configuration');
    expect(app.log.types()).toEqual(['AuthError', 'MissingAdapterMethods']);
  });
});

describe.each(oneDoor)('`acr_values` and `max_age`, through $name', (door) => {
  const params = { max_age: '300' };
  const gold = `${fake.issuer}/authorize?acr_values=idp:acme+gold`;
  const unchecked: [id: string, provider: object][] = [
    ['oauth', oauth(fake, { id: 'oauth', authorization: { url: `${fake.issuer}/authorize`, params } })],
    ['in-address', oauth(fake, { id: 'in-address', authorization: gold })],
  ];
  const checked = [
    oidc(fake, { id: 'oidc', authorization: { params } }),
    oauth(fake, { id: 'plain' }),
    oauth(fake, { id: 'hint', authorization: `${fake.issuer}/authorize?acr_values=idp:acme` }),
    // The type does not offer `nonce`. In JavaScript it works, and demands an ID token.
    { ...oauth(fake, { id: 'nonce', issuer: fake.issuer, authorization: { params } }), checks: ['nonce'] },
  ];

  it('of providers whose ID tokens are not checked are a warning that names all of them', async () => {
    const providers = [...checked, ...unchecked.map(([, provider]) => provider)];
    const app = scene(door, { providers } as Partial<AuthConfig>);
    await app.browser.get('/auth/csrf');
    await app.browser.get('/auth/csrf');
    expect(app.log.warnings).toEqual([['authentication-not-checked', 'providers: oauth, in-address']]);
  });
});
