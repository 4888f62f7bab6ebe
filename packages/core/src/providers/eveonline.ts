import type { Untyped } from '../types/user.ts';
import type { OAuth2Config, OAuthUserConfig } from './oauth.ts';

/** Members of EVE Online's answer that the provider reads. */
export interface EVEOnlineProfile {
  CharacterID: number;
  CharacterName: string;
  /** Changes when the character is transferred to another account. */
  CharacterOwnerHash: string;
  [claim: string]: Untyped;
}

/**
 * EVE Online, with the characters of its players as users.
 *
 * @see https://developers.eveonline.com/docs/services/sso/
 * @see https://developers.eveonline.com/blog/spring-cleaning-legacy-routes-removed-24-march-2026
 * @see https://developers.eveonline.com/docs/services/image-server/
 * @reviewed 2026-11-21
 * @email none
 * @register At https://developers.eveonline.com/applications: Create an application with the scope `publicData` and
 * enter the callback URL.
 * @quirk A user is a character. If a character is transferred to another player, its `CharacterOwnerHash` changes, and
 * the sign-in is refused with `AccountReassigned`. This needs an adapter with `getAccount`. To let the new owner
 * in, delete the account from the store.
 * @quirk EVE Online does not provide an email address.
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
    stableId: ({ CharacterOwnerHash }) => CharacterOwnerHash,
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
