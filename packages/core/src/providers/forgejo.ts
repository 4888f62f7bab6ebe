import { siForgejo as mark } from 'simple-icons';
import { type OIDCConfig, type OIDCUserConfig, type OpenIDProfile, openIDProvider } from './oauth.ts';

/** The claims of Forgejo's ID token; `sub` is the user's number. */
export interface ForgejoProfile extends OpenIDProfile {
  preferred_username: string;
  email: string;
  email_verified: boolean;
}

/**
 * Forgejo, including Codeberg.
 *
 * @see https://forgejo.org/docs/latest/user/oauth2-provider/
 * @reviewed 2026-11-21
 * @email unverified https://github.com/go-gitea/gitea/blob/10767d7/services/oauth2_provider/access_token.go 2026-11-23
 * Forgejo has this code from Gitea. Its claim `email_verified` says whether the account is active.
 * @register In the settings of the user, the organization or the site, "Applications": Create an OAuth2 application,
 * enter the callback URL under "Redirect URIs" and turn "Confidential client" on.
 * @issuer The URL of the instance: `https://<host>`, with its path if it has one. For Codeberg: `https://codeberg.org`.
 * @quirk The claim `email_verified` says whether the account is active, not whether the address is verified. Addresses
 * do not count as verified. If the instance verifies all of them, set `emailVerification: 'always'`.
 */
export default function Forgejo<P extends ForgejoProfile = ForgejoProfile>(
  options: OIDCUserConfig<P> = {},
): OIDCConfig<NoInfer<P>> {
  return openIDProvider('forgejo', 'Forgejo', options, {
    emailVerification: 'never',
    style: { brandColor: '#fb923c', icon: mark.path },
  });
}
