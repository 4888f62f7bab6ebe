import type { CallOptions } from '../../src/context.ts';
import Credentials from '../../src/providers/credentials.ts';
import type { EmailConfig } from '../../src/providers/email.ts';
import type { OAuth2Config, OIDCConfig } from '../../src/providers/oauth.ts';
import Passkey from '../../src/providers/passkey.ts';
import { customFetch } from '../../src/symbols.ts';
import type { AuthConfig } from '../../src/types/config.ts';
import type { Profile } from '../../src/types/user.ts';
import { consoleLog, type LogBook, ownLog } from './log-book.ts';
import { CAROL, CLIENT_SECRET, NOW, PASSWORD, SECRET, VISITOR_MARK } from './marks.ts';
import { Outside } from './outside.ts';
import type { Mount } from './sent.ts';
import { type Shelf, shelf } from './shelf.ts';

/** In what the applications differ. */
export interface Variant {
  readonly name: string;
  readonly origin?: string;
  /** Default: none. `contract`: a store with the required methods only. */
  readonly store?: 'whole' | 'contract';
  readonly config?: Partial<AuthConfig>;
  readonly call?: CallOptions;
  /** Logs to the console, at all levels. */
  readonly console?: boolean;
  /** The configuration has an error, so that no sign-in may succeed. */
  readonly broken?: boolean;
}

/** An application, and all that it touches. */
export interface Application extends Mount {
  readonly variant: Variant;
  readonly origin: string;
  readonly shelf: Shelf | undefined;
  readonly log: LogBook;
  /** Links that were mailed. */
  readonly mails: string[];
  /** By id. */
  readonly providers: Readonly<Record<'fake' | 'plain' | 'form', Outside>>;
}

export const PARTNER = 'https://partner.example';
const PROXY = 'https://proxy.example';
const jwt = { session: { strategy: 'jwt' } } as const;

/** Every way in which requests take another way through the library. */
export const variants: readonly Variant[] = [
  { name: 'tokens, no store' },
  { name: 'tokens and a store', store: 'whole', config: jwt },
  { name: 'a store of sessions', store: 'contract', config: { session: { strategy: 'database', updateAge: 0 } } },
  { name: 'https at the root', origin: 'https://app.example', store: 'whole', config: { basePath: '/' } },
  {
    name: 'pages of its own, and the console',
    store: 'contract',
    console: true,
    config: { ...jwt, pages: { signIn: '/in', signOut: '/out', error: '/oops?x=1', verifyRequest: '/look' } },
  },
  {
    name: 'a redirect callback, large sessions',
    store: 'whole',
    config: {
      ...jwt,
      callbacks: {
        redirect: ({ url, baseUrl }) => {
          if (url.startsWith('/')) return baseUrl + url;
          return new URL(url).origin === PARTNER ? url : baseUrl;
        },
        jwt: ({ token }) => ({ ...token, filling: 'x'.repeat(5000) }),
      },
    },
  },
  {
    name: 'a redirect proxy',
    origin: PROXY,
    config: { redirectProxyUrl: `${PROXY}/auth`, redirectProxyOrigins: [PARTNER] },
    // Otherwise a request with another host could not start a sign-in.
    call: { isOriginFixed: true },
  },
  { name: 'a host that guards forms', store: 'whole', config: jwt, call: { forms: 'same-origin' } },
  { name: 'a proxy in front', store: 'contract', config: jwt, call: { origin: 'https://front.example' } },
  { name: 'a host that is not trusted', store: 'whole', config: { ...jwt, trustHost: false }, broken: true },
];

/**
 * An application of its own, which knows nothing of others.
 *
 * @param like One of the same variant: codes that its providers have given out are good here, too.
 */
export function application(variant: Variant, like?: Application): Application {
  const own = variant.store && shelf(variant.store === 'whole');
  const log = variant.console ? consoleLog() : ownLog();
  const mails: string[] = [];
  const outside = (id: 'fake' | 'plain' | 'form'): Outside => new Outside(`https://${id}.test`, like?.providers[id]);
  const providers = { fake: outside('fake'), plain: outside('plain'), form: outside('form') };
  const { basePath = '/auth' } = variant.config ?? {};
  const config: AuthConfig = {
    secret: SECRET,
    trustHost: true,
    ...(log.logger ? { logger: log.logger } : { debug: true }),
    ...(own && { adapter: own.adapter, experimental: { enableWebAuthn: true } }),
    providers: [...oauthProviders(providers), credentials, ...(own ? storedProviders(mails) : [])],
    ...variant.config,
  };
  return {
    variant,
    config,
    basePath: basePath === '/' ? '' : basePath,
    origin: variant.origin ?? variant.call?.origin ?? 'http://localhost:3000',
    call: { ...variant.call, isOriginFixed: true, now: () => NOW, clientAddress: '203.0.113.9' },
    shelf: own,
    log,
    mails,
    providers,
  };
}

function oauthProviders({ fake, plain, form }: Application['providers']): AuthConfig['providers'] {
  const client = { clientId: 'client', clientSecret: CLIENT_SECRET };
  const oidc: OIDCConfig<Profile> = {
    ...client,
    id: 'fake',
    name: 'Fake',
    type: 'oidc',
    issuer: fake.issuer,
    checks: ['pkce', 'state', 'nonce'],
    [customFetch]: fake.fetch,
  };
  const oauth = (id: string, { issuer, fetch }: Outside): OAuth2Config<Profile> => ({
    ...client,
    id,
    name: id,
    type: 'oauth',
    authorization: `${issuer}/authorize`,
    token: `${issuer}/token`,
    userinfo: `${issuer}/userinfo`,
    [customFetch]: fetch,
  });
  const posting = { url: `${form.issuer}/authorize`, params: { response_mode: 'form_post' } };
  return [oidc, oauth('plain', plain), { ...oauth('form', form), authorization: posting }];
}

const credentials = Credentials({
  credentials: { name: {}, password: { type: 'password' } },
  // With database sessions, the store must contain the user.
  authorize: ({ name, password }) => (name === 'carol' && password === PASSWORD ? { id: 'carol', email: CAROL } : null),
});

function storedProviders(mails: string[]): AuthConfig['providers'] {
  const mail: EmailConfig = {
    id: 'mail',
    name: 'Mail',
    type: 'email',
    generateVerificationToken: () => `${VISITOR_MARK}-mailed-${mails.length}`,
    sendVerificationRequest: ({ url }) => void mails.push(url),
  };
  return [mail, { ...mail, id: 'careful', confirm: true }, Passkey({ unverifiedEmail: 'allow' })];
}
