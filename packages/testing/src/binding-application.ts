import type { Adapter } from '@latchkey/core/adapters';
import { AuthError } from '@latchkey/core/errors';
import Credentials from '@latchkey/core/providers/credentials';
import type { OIDCConfig } from '@latchkey/core/providers/oauth';
import type { AuthConfig, Profile, User } from '@latchkey/core/types';
import { DEFAULT_SECRET } from './fake-provider/options.ts';
import { memoryAdapter } from './memory-adapter.ts';

/** The secret of the test application, with which the suite makes session cookies of its own. */
export const BINDING_SECRET = 'a-secret-of-the-contract-application-of-32-characters';

/** The password of every visitor of the test application. */
export const BINDING_PASSWORD = 'password';

/** The header with the value `contract`, which a middleware before the binding sets on every answer. */
export const BINDING_HEADER = 'x-application';

/**
 * How the suite wants the test application to be started. Plain data, so that it can be passed to another process.
 * {@link bindingConfig} applies the members of the configuration. The others are for the application: `base`, `env`,
 * `trustProxy`, `parseBodies`, `secondMount`.
 */
export interface BindingSetup {
  /** `basePath` of the configuration, where the actions are. Default: the binding's. */
  readonly basePath?: string | undefined;
  /** The framework's own base path: the whole application is below it, such as `/shop`. Default: ''. */
  readonly base?: string | undefined;
  /** Environment variables of the binding, such as `AUTH_URL`. Default: none; those of the machine must not count. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** The framework trusts the proxy in front of it, by its own setting. Default: `false`. */
  readonly trustProxy?: boolean | undefined;
  /** The framework's parsers of forms and JSON run before the binding. Default: `false`. */
  readonly parseBodies?: boolean | undefined;
  /** A second place at which the same configuration is mounted. Default: none. */
  readonly secondMount?: string | undefined;
  /** `trustHost` of the configuration. Default: `true`. */
  readonly trustHost?: boolean | undefined;
  /** Where sessions are. Default: `jwt`. */
  readonly session?: 'jwt' | 'database' | undefined;
  /** Seconds after which a session is renewed; 0: with each read. Default: 86,400. */
  readonly updateAge?: number | undefined;
  /** `pages.signIn` of the configuration. Default: the built-in page. */
  readonly signInPage?: string | undefined;
  /** The configuration has a problem: it lacks a secret. Default: `false`. */
  readonly problem?: boolean | undefined;
  /** Three failed sign-ins are allowed per network. Default: `false`, without limits. */
  readonly limits?: boolean | undefined;
  /** Issuer of the suite's OpenID provider, with the ids `fake` and `fake-post` (`form_post`). Default: no provider. */
  readonly issuer?: string | undefined;
}

/**
 * Returns the configuration of the test application. The provider `credentials` accepts each name with
 * {@link BINDING_PASSWORD}. For the visitor `Broken`, `callbacks.session` throws. Data of `update` is the new name.
 *
 * ```ts
 * export const { handler, auth } = HonoAuth(bindingConfig(setup), setup.env);
 * ```
 */
export function bindingConfig(setup: BindingSetup = {}): AuthConfig {
  const { session = 'jwt', updateAge, trustHost = true, problem, basePath, signInPage, issuer, limits } = setup;
  const adapter = session === 'database' ? sharedAdapter() : undefined;
  return {
    trustHost,
    ...(problem ? {} : { secret: BINDING_SECRET }),
    ...(basePath !== undefined && { basePath }),
    ...(signInPage !== undefined && { pages: { signIn: signInPage } }),
    ...(adapter && { adapter }),
    session: { strategy: session, ...(updateAge !== undefined && { updateAge }) },
    rateLimit: limits ? { credentials: false, network: { limit: 3, window: 900 } } : false,
    logger: { error() {}, warn() {}, debug() {} },
    providers: [
      Credentials({
        credentials: { name: {}, password: { type: 'password' } },
        authorize: ({ name, password }) => (password === BINDING_PASSWORD ? userNamed(String(name), adapter) : null),
      }),
      ...(issuer ? [fakeProvider('fake', issuer), fakeProvider('fake-post', issuer, 'form_post')] : []),
    ],
    callbacks: {
      jwt({ token, user, trigger, session }) {
        if (user) token['name'] = user.name;
        if (trigger === 'update') token['name'] = session?.name;
        return token;
      },
      session({ session }) {
        if (session.user?.name === 'Broken') throw new Error('a secret detail of a callback');
        // One value for each call, by which the suite counts them.
        return { ...session, call: crypto.randomUUID() };
      },
    },
  };
}

function fakeProvider(id: string, issuer: string, responseMode?: 'form_post'): OIDCConfig<Profile> {
  return {
    id,
    name: 'Fake',
    type: 'oidc',
    issuer,
    clientId: 'client',
    clientSecret: DEFAULT_SECRET,
    checks: ['pkce', 'state'],
    ...(responseMode && { authorization: { params: { response_mode: responseMode, scope: 'openid email profile' } } }),
  };
}

/** Frameworks may load this module more than once in one process, and all of them need the same rows. */
function sharedAdapter(): Adapter {
  const shared = globalThis as { [ADAPTER]?: Adapter };
  shared[ADAPTER] ??= memoryAdapter();
  return shared[ADAPTER];
}

const ADAPTER = Symbol.for('latchkey.binding-application.adapter');

async function userNamed(name: string, adapter: Adapter | undefined): Promise<User> {
  const email = `${encodeURIComponent(name).toLowerCase().slice(0, 40)}@example.com`;
  if (!adapter) return { id: email, name, email };
  const known = await adapter.getUserByEmail?.(email);
  return (
    known ?? (await adapter.createUser?.({ id: crypto.randomUUID(), name, email, emailVerified: null })) ?? { name }
  );
}

/**
 * Returns the setup that `start` has put into the environment of a process, for applications that are built.
 *
 * ```ts
 * env: { BINDING_SETUP: JSON.stringify(setup) }
 * ```
 *
 * @returns The defaults if the variable is absent, as during a build.
 */
export function bindingSetup(env: Readonly<Record<string, string | undefined>> = process.env): BindingSetup {
  return JSON.parse(env['BINDING_SETUP'] ?? '{}') as BindingSetup;
}

/**
 * Waits until the suite continues, if the request has the parameter `wait`. The suite knows then that the application
 * has come to this point.
 *
 * ```ts
 * const session = await auth(request);
 * await waitForSuite(url.searchParams.get('wait'));
 * ```
 *
 * @param address The parameter: an address of the suite on this machine.
 */
export async function waitForSuite(address: unknown): Promise<void> {
  if (typeof address === 'string' && address.startsWith('http://127.0.0.1:')) await fetch(address);
}

/**
 * Returns the answer of a route whose server-side call has failed. Other errors, such as those by which frameworks
 * redirect, are thrown again.
 *
 * ```ts
 * try { … } catch (error) { return Response.json(callFailure(error), { status: 400 }); }
 * ```
 *
 * @returns `{ error: 'CredentialsSignin' }`, for example.
 */
export function callFailure(error: unknown): { error: string } {
  if (error instanceof AuthError) return { error: error.type };
  throw error;
}
