import type { Untyped } from '../types/user.ts';
import { type OIDCConfig, type OIDCUserConfig, openIDProvider } from './oauth.ts';

/** The claims of Cognito's ID token. */
export interface CognitoProfile {
  sub: string;
  name?: string;
  preferred_username?: string;
  email?: string;
  picture?: string;
  /** A string for federated users. */
  email_verified?: boolean | string;
  [claim: string]: Untyped;
}

/**
 * Amazon Cognito user pools.
 *
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/authorization-endpoint.html
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/amazon-cognito-user-pools-using-the-id-token.html
 * @reviewed 2026-11-21
 * @email stated
 * @register In the user pool, "App clients": Create a "Traditional web application" with the callback URL as "Return
 * URL" and the scopes `openid`, `profile` and `email`. The pool needs a domain.
 * @issuer `https://cognito-idp.<region>.amazonaws.com/<pool id>`
 * @quirk A user who came to the pool by another identity provider counts as unverified, unless the pool maps
 * `email_verified`.
 */
export default function Cognito<P extends CognitoProfile = CognitoProfile>(
  options: OIDCUserConfig<P> = {},
): OIDCConfig<NoInfer<P>> {
  return openIDProvider('cognito', 'Cognito', options, {
    // Cognito issues refresh tokens always, and refuses the scope `offline_access`.
    offlineAccess: {},
    style: { brandColor: '#c17b9e' },
  });
}
