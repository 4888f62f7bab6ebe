import { icon } from '../icons/roblox.ts';
import type { Foreign } from '../types.ts';
import type { OIDCConfig, OIDCUserConfig } from './oauth.ts';

/** The claims of Roblox's ID token that are read here. */
export interface RobloxProfile {
  sub: string;
  /** The display name. */
  name: string;
  nickname: string;
  preferred_username: string;
  picture?: string | null;
  [claim: string]: Foreign;
}

/**
 * Roblox.
 *
 * @see https://create.roblox.com/docs/cloud/auth/oauth2-reference
 * @reviewed 2026-11-21
 * @register At https://create.roblox.com/dashboard/credentials, "OAuth 2.0 Apps": create an app with the scopes `openid` and `profile`,
 * and add the callback address under "Redirect URLs". Until Roblox has reviewed it, ten people can sign in.
 * @quirk Roblox tells no address.
 */
export default function Roblox<P extends RobloxProfile = RobloxProfile>(
  options: OIDCUserConfig<P> = {},
): OIDCConfig<NoInfer<P>> {
  return {
    id: 'roblox',
    name: 'Roblox',
    type: 'oidc',
    issuer: 'https://apis.roblox.com/oauth/',
    authorization: { params: { scope: 'openid profile' } },
    checks: ['pkce', 'state'],
    style: { brandColor: '#000000', icon },
    options,
  };
}
