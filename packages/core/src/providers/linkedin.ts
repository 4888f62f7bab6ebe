import type { Foreign } from '../types.ts';
import type { OIDCConfig, OIDCUserConfig } from './oauth.ts';

/** The claims of LinkedIn's ID token that are read here. */
export interface LinkedInProfile {
  sub: string;
  name: string;
  email?: string;
  email_verified?: boolean | string;
  picture?: string;
  [claim: string]: Foreign;
}

/**
 * LinkedIn.
 *
 * @see https://learn.microsoft.com/en-us/linkedin/consumer/integrations/self-serve/sign-in-with-linkedin-v2
 * @reviewed 2026-11-21
 * @register At https://www.linkedin.com/developers/apps: create an app for your company's page, add the product "Sign In with
 * LinkedIn using OpenID Connect", and the callback address under "Auth", "Authorized redirect URLs".
 * @quirk LinkedIn repeats no `nonce`, and takes PKCE from native applications only; the `state` is what is checked.
 */
export default function LinkedIn<P extends LinkedInProfile = LinkedInProfile>(
  options: OIDCUserConfig<P> = {},
): OIDCConfig<NoInfer<P>> {
  return {
    id: 'linkedin',
    name: 'LinkedIn',
    type: 'oidc',
    issuer: 'https://www.linkedin.com/oauth',
    // From the metadata, which do not mention PKCE, we would conclude that a nonce is wanted.
    authorization: 'https://www.linkedin.com/oauth/v2/authorization',
    client: { token_endpoint_auth_method: 'client_secret_post' },
    checks: ['state'],
    style: { brandColor: '#006699' },
    options,
  };
}
