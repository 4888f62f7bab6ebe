import { siReddit as mark } from 'simple-icons';
import type { Untyped } from '../types/user.ts';
import type { OAuth2Config, OAuthUserConfig } from './oauth.ts';

/** Members of Reddit's account that the provider reads. */
export interface RedditProfile {
  id: string;
  name: string;
  /** Empty if there is no picture. */
  snoovatar_img?: string;
  icon_img?: string;
  [claim: string]: Untyped;
}

/**
 * Reddit.
 *
 * @see https://github.com/reddit-archive/reddit/wiki/OAuth2
 * @see https://www.reddit.com/dev/api#GET_api_v1_me
 * @reviewed 2026-11-21
 * @email none
 * @register Ask for access first, as the "Responsible Builder Policy"
 * (https://support.reddithelp.com/hc/en-us/articles/42728983564564) requires. Then create an app of the type "web app"
 * with the callback URL as "redirect uri" at https://www.reddit.com/prefs/apps.
 * @quirk Reddit requires a descriptive user agent. Set `token: { headers: { 'user-agent': 'web:<app>:v1 (by /u/<you>)'
 * } }`, and the same headers in `userinfo`. Otherwise, Reddit may slow requests down.
 * @quirk Reddit does not provide an email address.
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
    // Without `raw_json`, URLs are escaped as HTML, with `&amp;`.
    userinfo: { url: 'https://oauth.reddit.com/api/v1/me', params: { raw_json: 1 } },
    checks: ['state'],
    profile: ({ id, name, snoovatar_img, icon_img }) => ({
      id,
      name,
      email: null,
      image: snoovatar_img || icon_img || null,
    }),
    style: { brandColor: '#ff4500', icon: mark.path },
    options,
  };
}
