import type { CallbackParameters } from './authorize.ts';
import type { Change } from './change.ts';
import type { MixUp } from './misbehaviour.ts';
import type { IdTokenOverride } from './signing.ts';

/** What a test changes in answers that are otherwise right; `provider.misbehave()` sets them, too. */
export interface Overrides {
  /** ID tokens; `idTokenFaults` has ready-made ones. */
  idToken?: IdTokenOverride | undefined;
  /** Signed userinfo answers. */
  userinfoToken?: IdTokenOverride | undefined;
  /** Parameters of authorization responses. */
  callback?: CallbackParameters | undefined;
  /** Where visitors are sent on to. */
  mixUp?: MixUp | undefined;
  /** The JSON of the token endpoint. */
  token?: Change | undefined;
  /** The JSON of the userinfo endpoint. */
  userinfo?: Change | undefined;
  /** The discovery document. */
  discovery?: Change | undefined;
}
