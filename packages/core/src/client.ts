/** Everything that bindings with a browser side share: small, and without any part of the server. */

export { askFor, ClientFetchError, leaveFor, type Posted, post, type SignInResponse } from './client/ask.ts';
export {
  type ActionsPath,
  clientBinding,
  type SignOutOptions,
  sendForm,
  signOutAt,
} from './client/binding.ts';
export { type PasskeyOptions, passkeySignInAt, type WebAuthnSignInOptions } from './client/passkey.ts';
export {
  type ClientBinding,
  type Outcome,
  readOptions,
  type SignInAuthorizationParams,
  type SignInOptions,
  type SignInRequest,
  signInAt,
} from './client/sign-in.ts';
export { announce, ifChanged, listen, readRevision, reloadWatchers, watchRevision } from './client/signals.ts';
