import mark from '../marks/linkedin.ts';
import type { Untyped } from '../types/user.ts';
import type { OIDCConfig, OIDCUserConfig } from './oauth.ts';

/** Claims of LinkedIn's ID token that the provider reads. */
export interface LinkedInProfile {
  sub: string;
  name: string;
  email?: string;
  email_verified?: boolean | string;
  picture?: string;
  [claim: string]: Untyped;
}

/**
 * LinkedIn.
 *
 * @see https://learn.microsoft.com/en-us/linkedin/consumer/integrations/self-serve/sign-in-with-linkedin-v2
 * @reviewed 2026-11-21
 * @email stated
 * @register At https://www.linkedin.com/developers/apps: Create an app for your company's page. Add the product "Sign
 * In with LinkedIn using OpenID Connect", and enter the callback URL under "Auth", "Authorized redirect URLs".
 * @quirk LinkedIn does not return the `nonce`. It supports PKCE for native applications only. Only the `state` is
 * checked.
 * @quirk LinkedIn issues refresh tokens only to apps of approved partners.
 */
export default function LinkedIn<P extends LinkedInProfile = LinkedInProfile>(
  options: OIDCUserConfig<P> = {},
): OIDCConfig<NoInfer<P>> {
  return {
    id: 'linkedin',
    name: 'LinkedIn',
    type: 'oidc',
    issuer: 'https://www.linkedin.com/oauth',
    // The metadata does not list PKCE, so the engine would otherwise check a nonce.
    authorization: 'https://www.linkedin.com/oauth/v2/authorization',
    client: { token_endpoint_auth_method: 'client_secret_post' },
    checks: ['state'],
    // Refresh tokens are issued to approved apps, without a scope. The answer to one has no `token_type`.
    offlineAccess: {},
    token: {
      conform: async (answer) =>
        answer.ok ? Response.json({ token_type: 'Bearer', ...(await answer.json()) }) : undefined,
    },
    scopes: { separator: ',' },
    style: { brandColor: '#0a66c2', icon: mark },
    options,
  };
}
