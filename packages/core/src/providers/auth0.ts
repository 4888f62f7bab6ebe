import { siAuth0 as mark } from 'simple-icons';
import { AccessDenied } from '../errors.ts';
import type { Untyped } from '../types/user.ts';
import type { OIDCConfig, OIDCUserConfig } from './oauth.ts';

/** Claims of Auth0's ID token that the provider reads. */
export interface Auth0Profile {
  sub: string;
  name: string;
  nickname: string;
  email: string;
  email_verified: boolean;
  picture: string;
  org_id?: string;
  org_name?: string;
  [claim: string]: Untyped;
}

/**
 * Auth0.
 *
 * @see https://auth0.com/docs/get-started/authentication-and-authorization-flow/authorization-code-flow
 * @reviewed 2026-11-21
 * @email stated
 * @register In the Auth0 dashboard, "Applications": Create one of the type "Regular Web Application" and add the
 * callback URL to its "Allowed Callback URLs".
 * @issuer The tenant's domain: `https://<tenant>.<region>.auth0.com`, or the custom domain.
 * @quirk With `authorization: { params: { organization: 'org_…' } }` (the id of an organization, or its name if the
 * tenant allows names), only members who signed in to it are accepted. Others are refused with `AccessDenied`.
 */
export default function Auth0<P extends Auth0Profile = Auth0Profile>(
  options: OIDCUserConfig<P> = {},
): OIDCConfig<NoInfer<P>> {
  return {
    id: 'auth0',
    name: 'Auth0',
    type: 'oidc',
    offlineAccess: { scope: 'offline_access' },
    conformProfile(profile, { asked: { organization } }) {
      const { org_id, org_name } = profile;
      const fits = organization?.startsWith('org_')
        ? org_id === organization
        : org_name === organization?.toLowerCase();
      if (organization && !fits) throw new AccessDenied('the ID token must belong to the configured organization');
      return profile;
    },
    style: { brandColor: '#eb5424', icon: mark.path },
    options,
  };
}
