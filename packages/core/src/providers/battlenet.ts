import { siBattledotnet as mark } from 'simple-icons';
import type { Untyped } from '../types/user.ts';
import type { OIDCConfig, OIDCUserConfig } from './oauth.ts';

/** Claims of Battle.net's ID token that the provider reads. */
export interface BattleNetProfile {
  sub: string;
  battle_tag: string;
  [claim: string]: Untyped;
}

/** Issuers of Battle.net: global, China, and the former regional ones. */
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
 * @email none
 * @register At https://community.developer.battle.net/access/clients: Create a client and add the callback URL under
 * "Redirect URLs".
 * @issuer `https://oauth.battle.net`, and in China `https://oauth.battlenet.com.cn`. The former regional issuers (such
 * as `https://eu.battle.net/oauth`) are accepted while Battle.net supports them.
 * @quirk Battle.net provides neither an email address nor a picture.
 */
export default function BattleNet<P extends BattleNetProfile = BattleNetProfile>(
  options: OIDCUserConfig<P> & { issuer?: BattleNetIssuer | undefined } = {},
): OIDCConfig<NoInfer<P>> {
  return {
    id: 'battlenet',
    name: 'Battle.net',
    type: 'oidc',
    profile: ({ sub, battle_tag }) => ({ id: sub, name: battle_tag, email: null, image: null }),
    style: { brandColor: '#148eff', icon: mark.path },
    options,
  };
}
