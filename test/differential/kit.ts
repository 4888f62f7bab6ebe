import { FakeProvider, type MemoryStore } from '@latchkey/testing';
import { heardAdapter } from '../peers/heard-adapter.ts';
import { idpConfig, type Library } from '../peers/libraries.ts';
import { steady } from './steady.ts';

/** A call of the application or its store, without what is random. */
export interface Heard {
  readonly what: string;
  readonly args: unknown;
}

/** The parts from which a scenario builds its configuration. Each library has its own kit. */
export interface Kit {
  readonly library: Library;
  readonly provider: FakeProvider;
  /** Knows neither OpenID Connect nor the parameter `iss`. */
  readonly plainProvider: FakeProvider;
  readonly adapter: Record<string, unknown>;
  readonly store: MemoryStore;
  /** The calls of the application and its store, in order. */
  readonly log: Heard[];
  /** OpenID Connect, id `idp`. */
  idp(options?: object): object;
  /** Plain OAuth with all endpoints configured, id `plain`. */
  plain(options?: object): object;
  /** A password for Grace, id `credentials`. */
  credentials(options?: object): object;
  /** Callbacks that decide as the defaults do, and are heard. */
  callbacks(): object;
  /** All events, heard. */
  events(): object;
}

/** A kit with nothing used of it. */
export function makeKit(library: Library): Kit {
  const provider = new FakeProvider({ signingAlgorithm: 'ES256' });
  const plainProvider = new FakeProvider({ issuer: 'https://plain.test', oidc: false, issParameter: false });
  const log: Heard[] = [];
  const hear: Hear = (what, args) => void log.push({ what, args: steady(args) });
  const { adapter, store } = heardAdapter((method, args) => hear(`adapter ${method}`, args));
  const { token, userinfo, authorization } = plainProvider.endpoints;
  return {
    library,
    provider,
    plainProvider,
    adapter,
    store,
    log,
    idp: (options) => idpConfig(library, provider, options),
    plain: (options) =>
      idpConfig(library, plainProvider, {
        id: 'plain',
        name: 'Plain OAuth',
        type: 'oauth',
        issuer: undefined,
        authorization: { url: authorization, params: { scope: 'profile email' } },
        token,
        userinfo,
        ...options,
      }),
    credentials: (options) => ({
      id: 'credentials',
      name: 'Password',
      type: 'credentials',
      credentials: { name: { label: 'Name' }, password: { label: 'Password', type: 'password' } },
      authorize: (fields: Record<string, unknown>) => {
        hear('authorize', Object.keys(fields));
        return fields['password'] === 'cobol' ? { id: 'u-grace', name: 'Grace', email: 'grace@example.com' } : null;
      },
      ...options,
    }),
    callbacks: () => heardCallbacks(hear),
    events: () =>
      Object.fromEntries(
        ['signIn', 'signOut', 'createUser', 'updateUser', 'linkAccount', 'session'].map((name) => [
          name,
          (message: unknown) => hear(`event ${name}`, message),
        ]),
      ),
  };
}

type Hear = (what: string, args: unknown) => void;

interface JwtArguments {
  token: object;
  trigger?: string;
  session?: object;
}

interface SessionArguments {
  session: { user?: { name?: string; email?: string; image?: string }; expires: unknown };
}

function heardCallbacks(hear: Hear): object {
  return {
    signIn: (args: unknown) => {
      hear('callback signIn', args);
      return true;
    },
    jwt: (args: JwtArguments) => {
      hear('callback jwt', args);
      return args.trigger === 'update' ? { ...args.token, ...args.session } : args.token;
    },
    session: (args: SessionArguments) => {
      hear('callback session', args);
      const { user, expires } = args.session;
      return { user: { name: user?.name, email: user?.email, image: user?.image }, expires };
    },
  };
}
