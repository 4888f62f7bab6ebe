import { icon } from '../icons/wechat.ts';
import type { Foreign, TokenSet } from '../types.ts';
import type { OAuth2Config, OAuthUserConfig } from './oauth.ts';

/** The members of WeChat's user that are read here. */
export interface WeChatProfile {
  /** The user as this one app knows it. */
  openid: string;
  /** The user as all apps of an Open Platform account know it. */
  unionid?: string;
  nickname: string;
  headimgurl?: string;
  [claim: string]: Foreign;
}

/** Options of the WeChat provider. */
export type WeChatOptions<P extends WeChatProfile = WeChatProfile> = OAuthUserConfig<P> & {
  /**
   * `OfficialAccount`: visitors come in WeChat's own browser. `WebsiteApp`: they come in any, and scan a code with WeChat.
   * Default: `OfficialAccount`.
   */
  platformType?: 'OfficialAccount' | 'WebsiteApp' | undefined;
};

const OPEN = 'https://open.weixin.qq.com/connect';
const API = 'https://api.weixin.qq.com/sns';

/**
 * WeChat.
 *
 * @see https://developers.weixin.qq.com/doc/oplatform/Website_App/WeChat_Login/Wechat_Login.html
 * @see https://developers.weixin.qq.com/doc/offiaccount/OA_Web_Apps/Wechat_webpage_authorization.html
 * @reviewed 2026-11-21
 * @register At https://open.weixin.qq.com: create a website app, or bind an official account to your account there, and enter the host of
 * your site as the domain of callbacks. `clientId` is the AppID, `clientSecret` the AppSecret.
 * @option `platformType` `OfficialAccount` (default): visitors come in WeChat's own browser. `WebsiteApp`: they come in any browser,
 * and scan a code with WeChat.
 * @quirk The id is the `unionid`, the same in all apps of an Open Platform account. An official account that is bound to none has no such id,
 * and nobody can sign in.
 * @quirk WeChat tells no address.
 */
export default function WeChat<P extends WeChatProfile = WeChatProfile>(
  config: WeChatOptions<P> = {},
): OAuth2Config<NoInfer<P>> {
  const { platformType, ...options } = config;
  const website = platformType === 'WebsiteApp';
  return {
    id: 'wechat',
    name: 'WeChat',
    type: 'oauth',
    // Its word for the client id.
    authorization: {
      url: `${OPEN}/${website ? 'qrconnect' : 'oauth2/authorize'}#wechat_redirect`,
      params: {
        appid: ({ clientId }: { clientId?: string }) => clientId,
        scope: website ? 'snsapi_login' : 'snsapi_userinfo',
      },
    },
    token: {
      url: `${API}/oauth2/access_token`,
      async request({ provider, params }) {
        const query = new URLSearchParams({
          appid: provider.clientId,
          secret: provider.clientSecret ?? '',
          code: params['code'] ?? '',
          grant_type: 'authorization_code',
        });
        const answer = await provider.fetch(`${API}/oauth2/access_token?${query}`, { headers });
        return { tokens: await read(answer, 'tokens') };
      },
    },
    userinfo: {
      async request({ tokens, provider }) {
        const { access_token, openid } = tokens;
        const query = new URLSearchParams({
          access_token: String(access_token),
          openid: String(openid),
          lang: 'zh_CN',
        });
        return read(await provider.fetch(`${API}/userinfo?${query}`, { headers }), 'user');
      },
    },
    checks: ['state'],
    profile: ({ unionid, nickname, headimgurl }) => ({
      id: String(unionid),
      name: nickname,
      email: null,
      image: headimgurl || null,
    }),
    style: { brandColor: '#07c160', icon },
    options,
  };
}

const headers = { accept: 'application/json', 'user-agent': 'latchkey' };

/** WeChat refuses with status 200, and calls its JSON a text. */
async function read(answer: Response, what: string): Promise<TokenSet> {
  if (!answer.ok) throw new Error(`WeChat answered ${answer.status} for the ${what}`);
  const body = JSON.parse(await answer.text());
  if (body.errcode) throw new Error(`WeChat refused the ${what} with error ${Number(body.errcode)}`);
  return body;
}
