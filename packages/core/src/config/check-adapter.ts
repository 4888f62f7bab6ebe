import type { Adapter } from '../adapters.ts';
import { type AuthError, MissingAdapter, MissingAdapterMethods } from '../errors.ts';
import type { ProviderConfig } from '../providers/index.ts';
import type { AuthConfig } from '../types.ts';
import { entriesOf } from './entries.ts';
import { mergedProvider } from './merged-provider.ts';

/** What is wrong with the adapter of a configuration, or wrong without one. */
export function checkAdapter(providers: readonly ProviderConfig[], config: AuthConfig): AuthError[] {
  const types = new Set(providers.map((provider) => provider.type));
  if (!config.adapter) {
    return [
      ...(types.has('email')
        ? [new MissingAdapter('Sign-in by email keeps its tokens in a store. Add an `adapter`')]
        : []),
      ...(types.has('webauthn') ? [new MissingAdapter('Passkeys are kept in a store. Add an `adapter`')] : []),
    ];
  }
  // An adapter that is made on demand is looked at when it exists, see config/store.ts.
  if (typeof config.adapter === 'function') return [];
  const missing = missingMethods(config.adapter, requiredMethods(types, config));
  if (missing.length === 0) return [];
  return [
    new MissingAdapterMethods(
      `the adapter lacks methods that this configuration needs: ${missing.join(', ')}. Use an adapter that has them`,
    ),
  ];
}

/** What an adapter that was made on demand lacks of what the configuration needs. */
export function lackingMethods(adapter: Adapter, config: AuthConfig): string[] {
  const types = new Set(entriesOf(config).map((entry) => mergedProvider(entry).type));
  return missingMethods(adapter, requiredMethods(types, config));
}

/** Methods without which what is configured cannot work. */
function requiredMethods(types: ReadonlySet<string>, config: AuthConfig): Method[] {
  const jwt = config.session?.strategy === 'jwt';
  return [
    ...(types.has('email') ? EMAIL_METHODS : []),
    ...(types.has('oauth') || types.has('oidc') || !jwt ? USER_METHODS : []),
    ...(jwt ? [] : SESSION_METHODS),
    ...(types.has('webauthn') ? WEBAUTHN_METHODS : []),
  ];
}

/** Those of `required` that the adapter has not; methods of a class instance's prototype count. */
function missingMethods(adapter: Adapter, required: readonly Method[]): Method[] {
  return [...new Set(required)].filter((method) => typeof adapter[method] !== 'function');
}

type Method = keyof Adapter & string;
const EMAIL_METHODS: readonly Method[] = ['createVerificationToken', 'useVerificationToken', 'getUserByEmail'];
const SESSION_METHODS: readonly Method[] = ['createSession', 'getSessionAndUser', 'updateSession', 'deleteSession'];
const USER_METHODS: readonly Method[] = [
  'createUser',
  'getUser',
  'getUserByEmail',
  'getUserByAccount',
  'updateUser',
  'linkAccount',
];
const WEBAUTHN_METHODS: readonly Method[] = [
  'createUser',
  'getUser',
  'getUserByEmail',
  'getUserByAccount',
  'linkAccount',
  'getAccount',
  'getAuthenticator',
  'createAuthenticator',
  'listAuthenticatorsByUserId',
  'updateAuthenticatorCounter',
];
