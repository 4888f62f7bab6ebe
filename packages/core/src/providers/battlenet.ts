import { icon } from '../icons/battlenet.ts';
import type { Foreign } from '../types.ts';
import type { OIDCConfig, OIDCUserConfig } from './oauth.ts';

/** The claims of Battle.net's ID token that are read here. */
export interface BattleNetProfile {
  sub: string;
  battle_tag: string;
  [claim: string]: Foreign;
}

/** Where Battle.net is: everywhere, in China, and by the older names of the regions. */
export type BattleNetIssuer =
  | 'https://oauth.battle.net'
  | 'https://oauth.battlenet.com.cn'
  | 'https://www.battlenet.com.cn/oauth'
  | 'https://us.battle.net/oauth'
  | 'https://eu.battle.net/oauth'
  | 'https://kr.battle.net/oauth'
  | 'https://tw.battle.net/oauth';

/**
 * Battle.net.
 *
 * @see https://community.developer.battle.net/documentation/guides/using-oauth
 * @reviewed 2026-11-21
 * @register At https://community.developer.battle.net/access/clients: create a client and add the callback address under
 * "Redirect URLs".
 * @issuer `https://oauth.battle.net`, and in China `https://oauth.battlenet.com.cn`. The older ones of the regions
 * (`https://eu.battle.net/oauth` and so on) are accepted while Battle.net answers there.
 * @quirk Battle.net tells neither an address nor a picture.
 */
export default function BattleNet<P extends BattleNetProfile = BattleNetProfile>(
  options: OIDCUserConfig<P> & { issuer?: BattleNetIssuer | undefined } = {},
): OIDCConfig<NoInfer<P>> {
  return {
    id: 'battlenet',
    name: 'Battle.net',
    type: 'oidc',
    profile: ({ sub, battle_tag }) => ({ id: sub, name: battle_tag, email: null, image: null }),
    style: { brandColor: '#148eff', icon },
    options,
  };
}
