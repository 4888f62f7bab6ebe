import { AccessDenied } from '../errors.ts';
import type { Foreign } from '../types.ts';
import type { OIDCConfig, OIDCUserConfig } from './oauth.ts';

/** The claims of Kinde's ID token that are read here. */
export interface KindeProfile {
  sub: string;
  name: string;
  email: string;
  email_verified?: boolean;
  picture?: string;
  /** Organizations that the user is a member of. */
  org_codes?: string[];
  [claim: string]: Foreign;
}

/**
 * Kinde.
 *
 * @see https://docs.kinde.com/developer-tools/about/using-kinde-without-an-sdk/
 * @reviewed 2026-11-21
 * @register In Kinde, "Settings", "Applications": add a "Back-end web" application and add the callback address to its "Allowed
 * callback URLs".
 * @issuer The business's domain: `https://<business>.kinde.com`, or the custom one.
 * @quirk With `authorization: { params: { org_code: 'org_…' } }` only members of that organization get in; others are refused
 * with `AccessDenied`.
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
        throw new AccessDenied('the Kinde user is no member of the organization that `org_code` asks for');
      }
      return profile;
    },
    style: { brandColor: '#0f0f0f' },
    options,
  };
}
