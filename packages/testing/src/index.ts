export {
  type CreationOptionsJSON,
  type PasskeyAlgorithm,
  type PasskeyAnswer,
  type PasskeyFlags,
  type PasskeyLies,
  type RequestOptionsJSON,
  SoftwareAuthenticator,
  type SoftwareAuthenticatorOptions,
  type SoftwarePasskey,
} from './authenticator.ts';
export {
  Browser,
  type BrowserOptions,
  type CookieAttributes,
  type CookieJar,
  type FollowOptions,
  type Form,
  type FormButton,
  type FormField,
  type Handler,
  type OpenOptions,
  type Page,
  type RejectedCookie,
  type SentRequest,
  type SetCookie,
  type Site,
  type StoredCookie,
  type SubmitOptions,
} from './browser.ts';
export { Clock } from './clock.ts';
export { type AnswerFault, answerFaults } from './fake-provider/answer-faults.ts';
export type { CallbackParameters, Consent } from './fake-provider/authorize.ts';
export { type CallbackFault, callbackFaults } from './fake-provider/callback-faults.ts';
export type { Change } from './fake-provider/change.ts';
export {
  type DiscoveryFault,
  discoveryFaults,
  type TokenFault,
  tokenFaults,
  type UserinfoFault,
  userinfoFaults,
} from './fake-provider/content-faults.ts';
export { OAuthFailure } from './fake-provider/failure.ts';
export type { Fault, FaultSource, Faults, FaultyEndpoint } from './fake-provider/faults.ts';
export { type IdTokenFault, idTokenFaults } from './fake-provider/id-token-faults.ts';
export type { AnsweringProvider, Misbehaviour, MixUp } from './fake-provider/misbehaviour.ts';
export {
  type ClientAuthentication,
  DEFAULT_SECRET,
  type FakeClient,
  type FakeEndpoints,
  type FakeProviderOptions,
  type FakeUser,
  type SigningAlgorithm,
} from './fake-provider/options.ts';
export type { Overrides } from './fake-provider/overrides.ts';
export type { RecordedRequest } from './fake-provider/recorded-request.ts';
export type { IdTokenOverride, SignedBy } from './fake-provider/signing.ts';
export { FakeProvider } from './fake-provider.ts';
export {
  type AdapterCall,
  type AdapterFault,
  type ContractMemoryAdapter,
  type Inspection,
  type MemoryAdapter,
  type MemoryAdapterOptions,
  type MemoryDump,
  type MemoryStore,
  memoryAdapter,
} from './memory-adapter.ts';
