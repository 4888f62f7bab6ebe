import { AccessDenied } from '../errors.ts';
import { icon } from '../icons/auth0.ts';
import type { Foreign } from '../types.ts';
import type { OIDCConfig, OIDCUserConfig } from './oauth.ts';

/** The claims of Auth0's ID token that are read here. */
export interface Auth0Profile {
  sub: string;
  name: string;
  nickname: string;
  email: string;
  email_verified: boolean;
  picture: string;
  org_id?: string;
  org_name?: string;
  [claim: string]: Foreign;
}

/**
 * Auth0.
 *
 * @see https://auth0.com/docs/get-started/authentication-and-authorization-flow/authorization-code-flow
 * @reviewed 2026-11-21
 * @register In the Auth0 dashboard, "Applications": create one of the type "Regular Web Application" and add the callback
 * address to its "Allowed Callback URLs".
 * @issuer The tenant's domain: `https://<tenant>.<region>.auth0.com`, or the custom one.
 * @quirk With `authorization: { params: { organization: 'org_…' } }` (its id, or its name where the tenant allows names) only
 * members who signed in to that organization get in; others are refused with `AccessDenied`.
 */
export default function Auth0<P extends Auth0Profile = Auth0Profile>(
  options: OIDCUserConfig<P> = {},
): OIDCConfig<NoInfer<P>> {
  return {
    id: 'auth0',
    name: 'Auth0',
    type: 'oidc',
    conformProfile(profile, { asked: { organization } }) {
      const { org_id, org_name } = profile;
      const fits = organization?.startsWith('org_')
        ? org_id === organization
        : org_name === organization?.toLowerCase();
      if (organization && !fits)
        throw new AccessDenied('the ID token is of another organization than the one asked for');
      return profile;
    },
    style: { brandColor: '#eb5424', icon },
    options,
  };
}
