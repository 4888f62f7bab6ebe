import type { Untyped } from '../types/user.ts';
import type { OAuth2Config, OAuthUserConfig } from './oauth.ts';

/** Members of Pipedrive's answer that the provider reads. */
export interface PipedriveProfile {
  data: { id: number; name: string; email: string; icon_url: string | null; [claim: string]: Untyped };
  [claim: string]: Untyped;
}

/**
 * Pipedrive.
 *
 * @see https://pipedrive.readme.io/docs/marketplace-oauth-authorization
 * @see https://pipedrive.readme.io/docs/marketplace-getting-user-data
 * @reviewed 2026-11-21
 * @email not-stated
 * @register In the Developer Hub (https://app.pipedrive.com/developer-hub): Create an app and enter the callback URL as
 * "Callback URL". An app has only one, so create an app for each environment.
 * @quirk The scopes of the app in the Developer Hub apply. Pipedrive ignores scopes in a request.
 * @quirk A sign-in installs the app for the company that the user chooses.
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
