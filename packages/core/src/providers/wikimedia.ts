import { icon } from '../icons/wikimedia.ts';
import type { Foreign } from '../types.ts';
import type { OAuth2Config, OAuthUserConfig } from './oauth.ts';

/** The members of Wikimedia's profile that are read here. */
export interface WikimediaProfile {
  /** The user's id in all wikis. */
  sub: string | number;
  username: string;
  email?: string;
  confirmed_email?: boolean;
  [claim: string]: Foreign;
}

const BASE = 'https://meta.wikimedia.org/w/rest.php/oauth2';

/**
 * Wikimedia.
 *
 * @see https://www.mediawiki.org/wiki/OAuth/For_Developers
 * @see https://www.mediawiki.org/wiki/Extension:OAuth#OAuth_2.0_REST_endpoints
 * @reviewed 2026-11-21
 * @register At https://meta.wikimedia.org/wiki/Special:OAuthConsumerRegistration/propose/oauth2: propose a consumer with the callback
 * address. Until it has been approved, only its owner can sign in.
 * @quirk What visitors are asked for was chosen with the consumer, so no scope is named. The address comes to those with "User identity
 * verification only with access to real name and email address".
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
    style: { brandColor: '#000000', icon },
    options,
  };
}
