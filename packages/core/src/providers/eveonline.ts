import type { Foreign } from '../types.ts';
import type { OAuth2Config, OAuthUserConfig } from './oauth.ts';

/** The members of EVE Online's answer that are read here. */
export interface EVEOnlineProfile {
  CharacterID: number;
  CharacterName: string;
  /** Another one when the character has been given to another account. */
  CharacterOwnerHash: string;
  [claim: string]: Foreign;
}

/**
 * EVE Online: the characters of its players.
 *
 * @see https://developers.eveonline.com/docs/services/sso/
 * @see https://developers.eveonline.com/blog/spring-cleaning-legacy-routes-removed-24-march-2026
 * @see https://developers.eveonline.com/docs/services/image-server/
 * @reviewed 2026-11-21
 * @register At https://developers.eveonline.com/applications: create an application with the scope `publicData` and enter the
 * callback address.
 * @quirk The user is a character. Who gets it from its player is the same user here; compare the profile's `CharacterOwnerHash`
 * in the `signIn` callback where that matters.
 * @quirk EVE Online tells no address.
 */
export default function EVEOnline<P extends EVEOnlineProfile = EVEOnlineProfile>(
  options: OAuthUserConfig<P> = {},
): OAuth2Config<NoInfer<P>> {
  return {
    id: 'eveonline',
    name: 'EVE Online',
    type: 'oauth',
    authorization: { url: 'https://login.eveonline.com/v2/oauth/authorize', params: { scope: 'publicData' } },
    token: 'https://login.eveonline.com/v2/oauth/token',
    userinfo: 'https://login.eveonline.com/v2/oauth/verify',
    checks: ['state'],
    profile: ({ CharacterID, CharacterName }) => ({
      id: String(CharacterID),
      name: CharacterName,
      email: null,
      image: `https://images.evetech.net/characters/${CharacterID}/portrait?size=128`,
    }),
    style: { brandColor: '#000000' },
    options,
  };
}
