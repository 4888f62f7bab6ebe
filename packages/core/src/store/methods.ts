import { MissingAdapterMethods } from '../errors.ts';
import type { Adapter, AdapterMethod } from '../types/adapter.ts';
import type { ProviderType } from '../types/user.ts';

/** A part of a configuration that needs methods: a provider of a type, or sessions in the store. */
type Need = ProviderType | 'database sessions';

/** Facts about a method of the adapter. */
interface MethodFacts {
  /** A configuration with one of these needs cannot work without the method. Default: used if the adapter has it. */
  readonly neededFor?: readonly Need[];
  /** The promised result. Instead of `user` or `session and user` the result may be empty. Default: not checked. */
  readonly returns?: 'user' | 'session' | 'session and user';
  /** An argument is a session token, which must not be logged. */
  readonly takesToken?: true;
  /** The method is not part of Auth.js v5. */
  readonly beyondAuthJs?: true;
}

const sessions: readonly Need[] = ['database sessions'];
const oauth: readonly Need[] = ['oauth', 'oidc', ...sessions];
const withUsers: readonly Need[] = [...oauth, 'webauthn'];
const withAccounts: readonly Need[] = ['oauth', 'oidc', 'webauthn'];

/** The methods of an adapter. The one list of them: the store's wrapper and all checks derive from it. */
export const methods: Readonly<Record<AdapterMethod, MethodFacts>> = {
  createUser: { neededFor: withUsers, returns: 'user' },
  getUser: { neededFor: withUsers, returns: 'user' },
  getUserByEmail: { neededFor: [...withUsers, 'email'], returns: 'user' },
  getUserByAccount: { neededFor: withAccounts, returns: 'user' },
  updateUser: { neededFor: oauth },
  deleteUser: {},
  linkAccount: { neededFor: withAccounts },
  unlinkAccount: {},
  getAccount: { neededFor: ['webauthn'] },
  createSession: { neededFor: sessions, returns: 'session' },
  getSessionAndUser: { neededFor: sessions, returns: 'session and user', takesToken: true },
  updateSession: { neededFor: sessions },
  deleteSession: { neededFor: sessions, takesToken: true },
  createVerificationToken: { neededFor: ['email'] },
  useVerificationToken: { neededFor: ['email'] },
  createAuthenticator: { neededFor: ['webauthn'] },
  getAuthenticator: { neededFor: ['webauthn'] },
  listAuthenticatorsByUserId: { neededFor: ['webauthn'] },
  updateAuthenticatorCounter: { neededFor: ['webauthn'] },
  updateAccount: { beyondAuthJs: true },
  createUserWithAccount: { returns: 'user', beyondAuthJs: true },
  replaceSession: { returns: 'session', takesToken: true, beyondAuthJs: true },
  extendSession: { beyondAuthJs: true },
  spendOnce: { beyondAuthJs: true },
  deleteVerificationTokens: { beyondAuthJs: true },
  deleteSessionsByUserId: { takesToken: true, beyondAuthJs: true },
  deleteAuthenticator: { beyondAuthJs: true },
  updateAuthenticator: { beyondAuthJs: true },
  listAccountsByUserId: { beyondAuthJs: true },
  unlinkAccountIfNotLast: { beyondAuthJs: true },
  updateUserEmail: { beyondAuthJs: true },
  cleanup: { beyondAuthJs: true },
  ready: { beyondAuthJs: true },
};

/** The names of all methods. */
export const methodNames: readonly AdapterMethod[] = Object.keys(methods) as AdapterMethod[];

/** The adapter as actions use it: its methods are bound, and each failure is an `AdapterError`. */
export type Store = {
  readonly [K in AdapterMethod]: NonNullable<Adapter[K]> extends (...args: infer Args) => infer Result
    ? ((...args: Args) => Promise<Awaited<Result>>) | undefined
    : never;
} & Pick<Adapter, 'sessionRecords' | 'tokenVault'>;

/**
 * Returns a method of the store that the current flow needs.
 *
 * @throws {MissingAdapterMethods} if the adapter does not have it.
 */
export function requireMethod<K extends AdapterMethod>(store: Store, name: K): NonNullable<Store[K]> {
  const method = store[name];
  if (!method)
    throw new MissingAdapterMethods(
      `the adapter has no \`${name}\`, which this flow needs. Use an adapter that has it`,
    );
  return method;
}

/**
 * Lists the methods that a configuration needs.
 *
 * @param providerTypes The types of the configured providers.
 * @param strategy How sessions are kept.
 */
export function requiredMethods(
  providerTypes: Iterable<ProviderType>,
  strategy: 'jwt' | 'database',
): readonly AdapterMethod[] {
  const needs = new Set<Need>(providerTypes);
  if (strategy === 'database') needs.add('database sessions');
  return methodNames.filter((name) => methods[name].neededFor?.some((need) => needs.has(need)));
}

/** Returns the error for an adapter that lacks required methods; `undefined` if it has all of them. */
export function missingMethods(
  adapter: Partial<Record<AdapterMethod, unknown>>,
  required: readonly AdapterMethod[],
): MissingAdapterMethods | undefined {
  // Not `Object.hasOwn`: the methods of a class instance are on its prototype.
  const missing = required.filter((name) => typeof adapter[name] !== 'function');
  if (missing.length === 0) return undefined;
  return new MissingAdapterMethods(
    `the adapter lacks methods that this configuration needs: ${missing.join(', ')}. Use an adapter that has them`,
  );
}

/**
 * Returns whether a method has returned what it promises. A user without an id must count as a failure: otherwise a
 * session would start without a user.
 */
export function keepsPromise(name: AdapterMethod, result: unknown): boolean {
  switch (methods[name].returns) {
    case 'user':
      return isNothing(result) || isUser(result);
    case 'session':
      return isSession(result);
    case 'session and user':
      return isNothing(result) || (isSession(memberOf(result, 'session')) && isUser(memberOf(result, 'user')));
    default:
      return true;
  }
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null;
}

function isUser(value: unknown): boolean {
  return !isNothing(memberOf(value, 'id'));
}

function isSession(value: unknown): boolean {
  return typeof memberOf(value, 'sessionToken') === 'string';
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
