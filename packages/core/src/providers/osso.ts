import type { Foreign } from '../types.ts';
import type { OAuth2Config, OAuthUserConfig } from './oauth.ts';

/** The members of Osso's user that are read here. */
export interface OssoProfile {
  id: string;
  email: string;
  name?: string;
  [claim: string]: Foreign;
}

/**
 * Osso: SAML single sign-on, by an instance of one's own.
 *
 * @see https://github.com/enterprise-oss/osso
 * @reviewed 2026-11-21
 * @register In the instance's administration, "OAuth clients": add one with the callback address among its "Redirect URIs".
 * @issuer The instance's address: `https://<host>/`.
 * @quirk Osso is no longer maintained.
 * @quirk With `signIn('osso', options, { domain: 'example.com' })`, or `email`, visitors are not asked for theirs.
 */
export default function Osso<P extends OssoProfile = OssoProfile>(
  options: OAuthUserConfig<P> = {},
): OAuth2Config<NoInfer<P>> {
  return {
    id: 'osso',
    name: 'Osso',
    type: 'oauth',
    authorization: './oauth/authorize',
    token: './oauth/token',
    userinfo: './oauth/me',
    style: { brandColor: '#4c6fff' },
    options,
  };
}
