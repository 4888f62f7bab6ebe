import { siGitea as mark } from 'simple-icons';
import { type OIDCConfig, type OIDCUserConfig, type OpenIDProfile, openIDProvider } from './oauth.ts';

/** The claims of Gitea's ID token; `sub` is the user's number. */
export interface GiteaProfile extends OpenIDProfile {
  preferred_username: string;
  email: string;
  email_verified: boolean;
}

/**
 * Gitea.
 *
 * @see https://docs.gitea.com/development/oauth2-provider
 * @reviewed 2026-11-21
 * @email unverified https://github.com/go-gitea/gitea/blob/10767d7/services/oauth2_provider/access_token.go 2026-11-23
 * Its claim `email_verified` says whether the account is active.
 * @register In the settings of the user, the organization or the site, "Applications": Create an OAuth2 application
 * with the callback URL under "Redirect URIs" and turn "Confidential Client" on.
 * @issuer The URL of the instance: `https://<host>`, with its path if it has one. Default: `https://gitea.com`.
 * @quirk The claim `email_verified` says whether the account is active, not whether the address is verified. Addresses
 * do not count as verified. If the instance verifies all of them, set `emailVerification: 'always'`.
 */
export default function Gitea<P extends GiteaProfile = GiteaProfile>(
  options: OIDCUserConfig<P> = {},
): OIDCConfig<NoInfer<P>> {
  return openIDProvider('gitea', 'Gitea', options, {
    issuer: 'https://gitea.com',
    emailVerification: 'never',
    style: { brandColor: '#609926', icon: mark.path },
  });
}
