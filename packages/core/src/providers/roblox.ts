import { siRoblox as mark } from 'simple-icons';
import type { Untyped } from '../types/user.ts';
import { type OIDCConfig, type OIDCUserConfig, openIDProvider } from './oauth.ts';

/** The claims of Roblox's ID token; `name` is the display name. */
export interface RobloxProfile {
  sub: string;
  name: string;
  nickname: string;
  preferred_username: string;
  picture?: string | null;
  [claim: string]: Untyped;
}

/**
 * Roblox.
 *
 * @see https://create.roblox.com/docs/cloud/auth/oauth2-reference
 * @reviewed 2026-11-21
 * @email none
 * @register At https://create.roblox.com/dashboard/credentials, "OAuth 2.0 Apps": Create an app with the scopes
 * `openid` and `profile`, and add the callback URL under "Redirect URLs". Until Roblox has reviewed it, only ten users
 * can sign in.
 * @quirk Roblox does not provide an email address.
 */
export default function Roblox<P extends RobloxProfile = RobloxProfile>(
  options: OIDCUserConfig<P> = {},
): OIDCConfig<NoInfer<P>> {
  return openIDProvider('roblox', 'Roblox', options, {
    issuer: 'https://apis.roblox.com/oauth/',
    authorization: { params: { scope: 'openid profile' } },
    checks: ['pkce', 'state'],
    style: { brandColor: '#000000', icon: mark.path },
  });
}
