import type { Untyped } from '../types/user.ts';
import type { OAuth2Config, OAuthUserConfig } from './oauth.ts';

/** Members of Osso's user that the provider reads. */
export interface OssoProfile {
  id: string;
  email: string;
  name?: string;
  [claim: string]: Untyped;
}

/**
 * Osso: SAML single sign-on, self-hosted.
 *
 * @see https://github.com/enterprise-oss/osso
 * @reviewed 2026-11-21
 * @email not-stated
 * @register In the instance's administration, "OAuth clients": Add a client and enter the callback URL under "Redirect
 * URIs".
 * @issuer The URL of the instance: `https://<host>/`.
 * @quirk Osso is no longer maintained.
 * @quirk By default, Osso asks the visitor for a domain. To skip this, call `signIn('osso', options, { domain:
 * 'example.com' })`, or pass `email`.
 * @quirk The address comes from the customer's identity provider. Its administrator can enter any address, so it does
 * not count as verified. If all customers are trusted, set `emailVerification: 'always'`.
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
    emailVerification: 'never',
    style: { brandColor: '#4c6fff' },
    options,
  };
}
