import { icon } from '../icons/gitea.ts';
import type { Foreign } from '../types.ts';
import type { OIDCConfig, OIDCUserConfig } from './oauth.ts';

/** The claims of Gitea's ID token that are read here. */
export interface GiteaProfile {
  /** The user's number. */
  sub: string;
  name?: string;
  preferred_username: string;
  email: string;
  email_verified: boolean;
  picture?: string;
  [claim: string]: Foreign;
}

/**
 * Gitea.
 *
 * @see https://docs.gitea.com/development/oauth2-provider
 * @reviewed 2026-11-21
 * @register In the user's, the organisation's or the site's settings, "Applications": create an OAuth2 application with the callback
 * address under "Redirect URIs" and "Confidential Client" on.
 * @issuer The instance's address: `https://<host>`, with the path below which it is served. Default: `https://gitea.com`.
 */
export default function Gitea<P extends GiteaProfile = GiteaProfile>(
  options: OIDCUserConfig<P> = {},
): OIDCConfig<NoInfer<P>> {
  return {
    id: 'gitea',
    name: 'Gitea',
    type: 'oidc',
    issuer: 'https://gitea.com',
    style: { brandColor: '#609926', icon },
    options,
  };
}
