import { siWikimediafoundation as mark } from 'simple-icons';
import type { Untyped } from '../types/user.ts';
import type { OAuth2Config, OAuthUserConfig } from './oauth.ts';

/** Members of Wikimedia's profile that the provider reads. */
export interface WikimediaProfile {
  /** Id of the user in all wikis. */
  sub: string | number;
  username: string;
  email?: string;
  confirmed_email?: boolean;
  [claim: string]: Untyped;
}

const BASE = 'https://meta.wikimedia.org/w/rest.php/oauth2';

/**
 * Wikimedia.
 *
 * @see https://www.mediawiki.org/wiki/OAuth/For_Developers
 * @see https://www.mediawiki.org/wiki/Extension:OAuth#OAuth_2.0_REST_endpoints
 * @reviewed 2026-11-21
 * @email stated
 * @register At https://meta.wikimedia.org/wiki/Special:OAuthConsumerRegistration/propose/oauth2: Propose a consumer
 * with the callback URL. Until Wikimedia has approved it, only its owner can sign in.
 * @quirk The grants of the consumer apply, so requests do not contain a scope. To get the email address, choose "User
 * identity verification only with access to real name and email address".
 */
export default function Wikimedia<P extends WikimediaProfile = WikimediaProfile>(
  options: OAuthUserConfig<P> = {},
): OAuth2Config<NoInfer<P>> {
  return {
    id: 'wikimedia',
    name: 'Wikimedia',
    type: 'oauth',
    authorization: { url: `${BASE}/authorize`, params: { scope: '' } },
    token: `${BASE}/access_token`,
    userinfo: `${BASE}/resource/profile`,
    conformProfile: (user) => ({ ...user, email_verified: user.confirmed_email }),
    profile: ({ sub, username, email }) => ({ id: String(sub), name: username, email: email || null, image: null }),
    style: { brandColor: '#000000', icon: mark.path },
    options,
  };
}
