import { icon } from '../icons/forgejo.ts';
import type { Foreign } from '../types.ts';
import type { OIDCConfig, OIDCUserConfig } from './oauth.ts';

/** The claims of Forgejo's ID token that are read here. */
export interface ForgejoProfile {
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
 * Forgejo, and with it Codeberg.
 *
 * @see https://forgejo.org/docs/latest/user/oauth2-provider/
 * @reviewed 2026-11-21
 * @register In the user's, the organisation's or the site's settings, "Applications": create an OAuth2 application with the callback
 * address under "Redirect URIs" and "Confidential client" on.
 * @issuer The instance's address: `https://<host>`, with the path below which it is served. For Codeberg: `https://codeberg.org`.
 */
export default function Forgejo<P extends ForgejoProfile = ForgejoProfile>(
  options: OIDCUserConfig<P> = {},
): OIDCConfig<NoInfer<P>> {
  return {
    id: 'forgejo',
    name: 'Forgejo',
    type: 'oidc',
    style: { brandColor: '#fb923c', icon },
    options,
  };
}
