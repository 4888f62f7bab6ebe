import { icon } from '../icons/reddit.ts';
import type { Foreign } from '../types.ts';
import type { OAuth2Config, OAuthUserConfig } from './oauth.ts';

/** The members of Reddit's account that are read here. */
export interface RedditProfile {
  id: string;
  name: string;
  /** Empty where there is none. */
  snoovatar_img?: string;
  icon_img?: string;
  [claim: string]: Foreign;
}

/**
 * Reddit.
 *
 * @see https://github.com/reddit-archive/reddit/wiki/OAuth2
 * @see https://www.reddit.com/dev/api#GET_api_v1_me
 * @reviewed 2026-11-21
 * @register Ask for access first, as the "Responsible Builder Policy" (https://support.reddithelp.com/hc/en-us/articles/42728983564564)
 * says; then create an app of the type "web app" with the callback address as "redirect uri" at https://www.reddit.com/prefs/apps.
 * @quirk Reddit wants to know who asks: `token: { headers: { 'user-agent': 'web:<app>:v1 (by /u/<you>)' } }`, and the same with
 * `userinfo`. Without that, it may slow requests down.
 * @quirk Reddit tells no address.
 */
export default function Reddit<P extends RedditProfile = RedditProfile>(
  options: OAuthUserConfig<P> = {},
): OAuth2Config<NoInfer<P>> {
  return {
    id: 'reddit',
    name: 'Reddit',
    type: 'oauth',
    authorization: { url: 'https://www.reddit.com/api/v1/authorize', params: { scope: 'identity' } },
    token: { url: 'https://www.reddit.com/api/v1/access_token', headers: { 'user-agent': 'latchkey' } },
    // Without `raw_json`, addresses come as HTML, with `&amp;`.
    userinfo: { url: 'https://oauth.reddit.com/api/v1/me', params: { raw_json: 1 } },
    checks: ['state'],
    profile: ({ id, name, snoovatar_img, icon_img }) => ({
      id,
      name,
      email: null,
      image: snoovatar_img || icon_img || null,
    }),
    style: { brandColor: '#ff4500', icon },
    options,
  };
}
