import { AccessDenied } from '../errors.ts';
import { icon } from '../icons/fusionauth.ts';
import type { Foreign } from '../types.ts';
import type { OIDCConfig, OIDCUserConfig } from './oauth.ts';

/** The claims of FusionAuth's ID token that are read here. */
export interface FusionAuthProfile {
  sub: string;
  /** Id of the tenant. */
  tid?: string;
  name?: string;
  preferred_username?: string;
  given_name?: string;
  middle_name?: string;
  family_name?: string;
  email?: string;
  email_verified?: boolean;
  picture?: string;
  [claim: string]: Foreign;
}

/**
 * FusionAuth.
 *
 * @see https://fusionauth.io/docs/lifecycle/authenticate-users/oauth/endpoints
 * @see https://fusionauth.io/docs/lifecycle/authenticate-users/oauth/tokens
 * @reviewed 2026-11-21
 * @register In the instance's administration, "Applications": add one, under "OAuth" with the callback address in "Authorized
 * redirect URLs" and the grant "Authorization Code", under "JWT" with an asymmetric (RS256) key for the ID token.
 * @issuer The instance's address, which has to be entered in the tenant's settings as "Issuer", too.
 * @quirk ID tokens that FusionAuth signs with the client secret, as it does unless the application has a key of its own, are
 * accepted with `client: { id_token_signed_response_alg: 'HS256' }`.
 * @option `tenantId` The tenant, where an instance has several: its metadata are asked for, and users whose `tid` is another one are
 * refused with `AccessDenied`. `authorization: { params: { tenantId: '…' } }` does the latter alone.
 */
export default function FusionAuth<P extends FusionAuthProfile = FusionAuthProfile>(
  options: OIDCUserConfig<P> & { tenantId?: string | undefined } = {},
): OIDCConfig<NoInfer<P>> {
  const { tenantId: tenant } = options;
  const metadata = `./.well-known/openid-configuration?tenantId=${encodeURIComponent(String(tenant))}`;
  return {
    id: 'fusionauth',
    name: 'FusionAuth',
    type: 'oidc',
    ...(tenant && { wellKnown: metadata }),
    authorization: { params: { scope: 'openid offline_access email profile', ...(tenant && { tenantId: tenant }) } },
    token: './oauth2/token',
    userinfo: './oauth2/userinfo',
    checks: ['pkce', 'state'],
    conformProfile(profile, { asked: { tenantId } }) {
      // Versions that do not tell the tenant have no applications with more than one.
      if (tenantId && profile.tid && profile.tid !== tenantId) {
        throw new AccessDenied('the FusionAuth user is of another tenant than the one asked for');
      }
      return profile;
    },
    profile: ({ sub, name, preferred_username, given_name, middle_name, family_name, email, picture }) => ({
      id: sub,
      name: name ?? preferred_username ?? ([given_name, middle_name, family_name].filter(Boolean).join(' ') || null),
      email: email ?? null,
      image: picture ?? null,
    }),
    style: { brandColor: '#f58320', icon },
    options,
  };
}
