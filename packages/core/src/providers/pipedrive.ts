import type { Foreign } from '../types.ts';
import type { OAuth2Config, OAuthUserConfig } from './oauth.ts';

/** The members of Pipedrive's answer that are read here. */
export interface PipedriveProfile {
  data: { id: number; name: string; email: string; icon_url: string | null; [claim: string]: Foreign };
  [claim: string]: Foreign;
}

/**
 * Pipedrive.
 *
 * @see https://pipedrive.readme.io/docs/marketplace-oauth-authorization
 * @see https://pipedrive.readme.io/docs/marketplace-getting-user-data
 * @reviewed 2026-11-21
 * @register In the Developer Hub (https://app.pipedrive.com/developer-hub): create an app and enter the callback address as "Callback
 * URL". It has one, so make an app for each environment.
 * @quirk The scopes are those that the app has in the Developer Hub; what a request names does not count.
 * @quirk Visitors install the app for the company that they choose.
 */
export default function Pipedrive<P extends PipedriveProfile = PipedriveProfile>(
  options: OAuthUserConfig<P> = {},
): OAuth2Config<NoInfer<P>> {
  return {
    id: 'pipedrive',
    name: 'Pipedrive',
    type: 'oauth',
    authorization: 'https://oauth.pipedrive.com/oauth/authorize',
    token: 'https://oauth.pipedrive.com/oauth/token',
    userinfo: 'https://api.pipedrive.com/v1/users/me',
    profile: ({ data: { id, name, email, icon_url } }) => ({ id: String(id), name, email, image: icon_url }),
    style: { brandColor: '#017737' },
    options,
  };
}
