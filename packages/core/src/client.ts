/** For bindings with a browser side: small, and without anything of the server. */

export { askFor, ClientFetchError } from './client/ask.ts';
export { leaveFor } from './client/leave.ts';
export type { PasskeyOptions } from './client/passkey.ts';
export { passkeySignInAt, type WebAuthnSignInOptions } from './client/passkey-sign-in.ts';
export { type Posted, post, type SignInResponse } from './client/post.ts';
export { readRevision } from './client/revision.ts';
export {
  type Counter,
  type Ending,
  readOptions,
  type SignInAuthorizationParams,
  type SignInOptions,
  signInAt,
} from './client/sign-in.ts';
export { announce, listen } from './client/signals.ts';
