export type { UserFields } from '@latchkey/core/adapters';
export {
  APPLICATION_SECRET,
  type Application,
  type ApplicationOptions,
  type ApplicationParts,
  application,
  type RecordedEvent,
  type RecordedLog,
  type SentMail,
  type SignInSteps,
} from './application.ts';
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
export type { CallbackParameters, Consent } from './fake-provider/authorize.ts';
export { OAuthFailure } from './fake-provider/failure.ts';
export type {
  AnsweringProvider,
  Change,
  Fault,
  FaultSource,
  Faults,
  FaultyEndpoint,
  Misbehavior,
  MixUp,
  Overrides,
} from './fake-provider/misbehavior.ts';
export {
  type ClientAuthentication,
  DEFAULT_SECRET,
  type FakeClient,
  type FakeEndpoints,
  type FakeProviderOptions,
  type FakeUser,
  type SigningAlgorithm,
} from './fake-provider/options.ts';
export {
  type AnswerFault,
  answerFaults,
  type CallbackFault,
  callbackFaults,
  type DiscoveryFault,
  discoveryFaults,
  type IdTokenFault,
  idTokenFaults,
  type TokenFault,
  tokenFaults,
  type UserinfoFault,
  userinfoFaults,
} from './fake-provider/ready-made-faults.ts';
export type { IdTokenOverride, SignedBy } from './fake-provider/signed-tokens.ts';
export { FakeProvider, type RecordedRequest } from './fake-provider.ts';
export type { AdapterFault, RecordFault } from './fault-queue.ts';
export {
  type AdapterCall,
  type ContractMemoryAdapter,
  type Inspection,
  type MemoryAdapter,
  type MemoryAdapterOptions,
  type MemoryDump,
  type MemoryStore,
  memoryAdapter,
} from './memory-adapter.ts';
export {
  type MemoryRecordDump,
  type MemoryRecordStore,
  MemorySessionRecords,
  type MemorySessionRecordsOptions,
  type RecordCall,
  type RecordStep,
} from './memory-session-records.ts';
export {
  MemoryTokenVault,
  type MemoryTokenVaultOptions,
  type MemoryVaultRow,
  type VaultCall,
  type VaultStep,
} from './memory-token-vault.ts';
