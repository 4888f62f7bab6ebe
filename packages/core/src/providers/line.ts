import { siLine as mark } from 'simple-icons';
import { type OIDCConfig, type OIDCUserConfig, type OpenIDProfile, openIDProvider } from './oauth.ts';

/** The claims of LINE's ID token. */
export interface LineProfile extends OpenIDProfile {}

/**
 * LINE.
 *
 * @see https://developers.line.biz/en/docs/line-login/integrate-line-login/
 * @see https://developers.line.biz/en/docs/line-login/integrate-pkce/
 * @reviewed 2026-11-21
 * @email not-stated
 * @register At https://developers.line.biz/console/: Create a "LINE Login" channel for web apps and add the callback
 * URL under "LINE Login", "Callback URL". `clientId` is the channel's id, and `clientSecret` is its secret.
 * @quirk LINE provides an email address only if the channel has the "Email address permission" ("Basic settings",
 * "OpenID Connect").
 * @quirk The metadata lists ES256. For web apps, however, LINE signs the ID token with the channel's secret.
 */
export default function LINE<P extends LineProfile = LineProfile>(
  options: OIDCUserConfig<P> = {},
): OIDCConfig<NoInfer<P>> {
  return openIDProvider('line', 'LINE', options, {
    issuer: 'https://access.line.me',
    checks: ['pkce', 'state'],
    client: { id_token_signed_response_alg: 'HS256', token_endpoint_auth_method: 'client_secret_post' },
    style: { brandColor: '#00c300', icon: mark.path },
  });
}
