import { AccessDenied } from '../errors.ts';
import type { Untyped } from '../types/user.ts';
import type { OIDCConfig, OIDCUserConfig } from './oauth.ts';

/** Claims of Kinde's ID token that the provider reads. */
export interface KindeProfile {
  sub: string;
  name: string;
  email: string;
  email_verified?: boolean;
  picture?: string;
  /** Organizations that the user is a member of. */
  org_codes?: string[];
  [claim: string]: Untyped;
}

/**
 * Kinde.
 *
 * @see https://docs.kinde.com/developer-tools/about/using-kinde-without-an-sdk/
 * @reviewed 2026-11-21
 * @email stated
 * @register In Kinde, "Settings", "Applications": Add a "Back-end web" application and add the callback URL to its
 * "Allowed callback URLs".
 * @issuer The business's domain: `https://<business>.kinde.com`, or the custom domain.
 * @quirk With `authorization: { params: { org_code: 'org_…' } }` only members of that organization are accepted. Others
 * are refused with `AccessDenied`.
 */
export default function Kinde<P extends KindeProfile = KindeProfile>(
  options: OIDCUserConfig<P> = {},
): OIDCConfig<NoInfer<P>> {
  return {
    id: 'kinde',
    name: 'Kinde',
    type: 'oidc',
    checks: ['state', 'pkce'],
    conformProfile(profile, { asked: { org_code } }) {
      if (org_code && !profile.org_codes?.includes(org_code)) {
        throw new AccessDenied('the Kinde user must be a member of the organization in `org_code`');
      }
      return profile;
    },
    style: { brandColor: '#0f0f0f' },
    options,
  };
}
