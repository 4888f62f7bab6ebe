import { icon } from '../icons/line.ts';
import type { Foreign } from '../types.ts';
import type { OIDCConfig, OIDCUserConfig } from './oauth.ts';

/** The claims of LINE's ID token that are read here. */
export interface LineProfile {
  sub: string;
  name?: string;
  email?: string;
  picture?: string;
  [claim: string]: Foreign;
}

/**
 * LINE.
 *
 * @see https://developers.line.biz/en/docs/line-login/integrate-line-login/
 * @see https://developers.line.biz/en/docs/line-login/integrate-pkce/
 * @reviewed 2026-11-21
 * @register At https://developers.line.biz/console/: create a "LINE Login" channel for web apps and add the callback address
 * under "LINE Login", "Callback URL". `clientId` is the channel's id, `clientSecret` its secret.
 * @quirk There is no address until the channel has been given the "Email address permission" ("Basic settings", "OpenID
 * Connect").
 * @quirk The metadata name ES256, but for web apps the ID token is signed with the channel's secret.
 */
export default function LINE<P extends LineProfile = LineProfile>(
  options: OIDCUserConfig<P> = {},
): OIDCConfig<NoInfer<P>> {
  return {
    id: 'line',
    name: 'LINE',
    type: 'oidc',
    issuer: 'https://access.line.me',
    checks: ['pkce', 'state'],
    client: { id_token_signed_response_alg: 'HS256', token_endpoint_auth_method: 'client_secret_post' },
    style: { brandColor: '#00c300', icon },
    options,
  };
}
