import { siFusionauth as mark } from 'simple-icons';
import { AccessDenied } from '../errors.ts';
import type { Untyped } from '../types/user.ts';
import type { OIDCConfig, OIDCUserConfig } from './oauth.ts';

/** Claims of FusionAuth's ID token that the provider reads. */
export interface FusionAuthProfile {
  sub: string;
  /** Id of the tenant. Absent in older versions. */
  tid?: string;
  name?: string;
  preferred_username?: string;
  given_name?: string;
  middle_name?: string;
  family_name?: string;
  email?: string;
  email_verified?: boolean;
  picture?: string;
  [claim: string]: Untyped;
}

/**
 * FusionAuth.
 *
 * @see https://fusionauth.io/docs/lifecycle/authenticate-users/oauth/endpoints
 * @see https://fusionauth.io/docs/lifecycle/authenticate-users/oauth/tokens
 * @reviewed 2026-11-21
 * @email stated
 * @register In the instance's administration, "Applications": Add an application. Under "OAuth", enter the callback URL
 * in "Authorized redirect URLs" and choose the grant "Authorization Code". Under "JWT", choose an asymmetric key
 * (RS256) for the ID token.
 * @issuer The URL of the instance. Enter the same URL as "Issuer" in the settings of the tenant.
 * @quirk If the application has no key of its own, FusionAuth signs ID tokens with the client secret. In that case, set
 * `client: { id_token_signed_response_alg: 'HS256' }`.
 * @option `tenantId` Id of the tenant, if the instance has several. The metadata of that tenant are used, and users
 * with another `tid` are refused with `AccessDenied`. To set only the restriction, use `authorization: { params: {
 * tenantId: '…' } }`.
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
      // In versions that do not send `tid`, an application has only one tenant.
      if (tenantId && profile.tid && profile.tid !== tenantId) {
        throw new AccessDenied('the FusionAuth user must belong to the configured tenant');
      }
      return profile;
    },
    profile: ({ sub, name, preferred_username, given_name, middle_name, family_name, email, picture }) => ({
      id: sub,
      name: name ?? preferred_username ?? ([given_name, middle_name, family_name].filter(Boolean).join(' ') || null),
      email: email ?? null,
      image: picture ?? null,
    }),
    style: { brandColor: '#f58320', icon: mark.path },
    options,
  };
}
