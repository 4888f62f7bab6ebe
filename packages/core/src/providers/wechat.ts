import { siWechat as mark } from 'simple-icons';
import type { TokenSet, Untyped } from '../types/user.ts';
import type { OAuth2Config, OAuthUserConfig } from './oauth.ts';

/** Members of WeChat's user that the provider reads. */
export interface WeChatProfile {
  /** Id of the user, specific to this app. */
  openid: string;
  /** Id of the user, which is the same in all apps of an Open Platform account. */
  unionid?: string;
  nickname: string;
  headimgurl?: string;
  [claim: string]: Untyped;
}

/** Options of the WeChat provider. */
export type WeChatOptions<P extends WeChatProfile = WeChatProfile> = OAuthUserConfig<P> & {
  /**
   * `OfficialAccount`: visitors use WeChat's own browser. `WebsiteApp`: visitors use any browser and scan a QR code
   * with WeChat. Default: `OfficialAccount`.
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
 * @email none
 * @register At https://open.weixin.qq.com: Create a website app, or bind an official account to your account there, and
 * enter the host of your site as the callback domain. `clientId` is the AppID, and `clientSecret` is the AppSecret.
 * @option `platformType` `OfficialAccount` (default): visitors use WeChat's own browser. `WebsiteApp`: visitors use any
 * browser and scan a QR code with WeChat.
 * @quirk The id is the `unionid`. It is the same in all apps of an Open Platform account. If an official account is
 * not bound to an Open Platform account, that id is missing and sign-in fails.
 * @quirk WeChat does not provide an email address.
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
    // The vendor's name for the client id.
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
    style: { brandColor: '#07c160', icon: mark.path },
    options,
  };
}

const headers = { accept: 'application/json', 'user-agent': 'latchkey' };

/** Throws if WeChat reports an error. Its errors have status 200, and the content type of its JSON is text. */
async function read(answer: Response, what: string): Promise<TokenSet> {
  if (!answer.ok) throw new Error(`WeChat answered ${answer.status} for the ${what}`);
  const body = JSON.parse(await answer.text());
  if (body.errcode) throw new Error(`WeChat refused the ${what} with error ${Number(body.errcode)}`);
  return body;
}
