import type { Foreign } from '../types.ts';
import type { OIDCConfig, OIDCUserConfig } from './oauth.ts';

/** The claims of Cognito's ID token that are read here. */
export interface CognitoProfile {
  sub: string;
  name?: string;
  preferred_username?: string;
  email?: string;
  /** Federated users have it as a text. */
  email_verified?: boolean | string;
  picture?: string;
  [claim: string]: Foreign;
}

/**
 * Amazon Cognito user pools.
 *
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/authorization-endpoint.html
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/amazon-cognito-user-pools-using-the-id-token.html
 * @reviewed 2026-11-21
 * @register In the user pool, "App clients": create a "Traditional web application" with the callback address as "Return URL" and
 * the scopes `openid`, `profile` and `email`. The pool needs a domain.
 * @issuer `https://cognito-idp.<region>.amazonaws.com/<pool id>`
 * @quirk A user who came to the pool by another identity provider counts as unverified, unless the pool maps `email_verified`.
 */
export default function Cognito<P extends CognitoProfile = CognitoProfile>(
  options: OIDCUserConfig<P> = {},
): OIDCConfig<NoInfer<P>> {
  return {
    id: 'cognito',
    name: 'Cognito',
    type: 'oidc',
    style: { brandColor: '#c17b9e' },
    options,
  };
}
