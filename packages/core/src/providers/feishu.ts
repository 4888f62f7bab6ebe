import type { TokenSet, Untyped } from '../types/user.ts';
import type { OAuth2Config, OAuthUserConfig } from './oauth.ts';

/** Members of Feishu's user that the provider reads. */
export interface FeishuProfile {
  /** Id of the user, which is the same in all apps of one developer. */
  union_id: string;
  /** Id of the user, specific to this app. */
  open_id: string;
  name: string;
  avatar_url?: string;
  email?: string;
  enterprise_email?: string;
  [claim: string]: Untyped;
}

/** Options of the Feishu provider. */
export type FeishuOptions<P extends FeishuProfile = FeishuProfile> = OAuthUserConfig<P> & {
  /** `larksuite.com` for Lark, the same product outside China. Default: `feishu.cn`. */
  domain?: 'feishu.cn' | 'larksuite.com' | undefined;
};

/**
 * Feishu, named Lark outside China.
 *
 * @see https://open.feishu.cn/document/authentication-management/access-token/get-user-access-token
 * @see https://open.feishu.cn/document/server-docs/authentication-management/login-state-management/get
 * @reviewed 2026-11-21
 * @email not-stated
 * @register At https://open.feishu.cn/app (Lark: https://open.larksuite.com/app): Create an app, add the callback URL
 * under "Security Settings", "Redirect URLs", and the permission `contact:user.email:readonly`. `clientId` is the App
 * ID.
 * @option `domain` `larksuite.com` for Lark. Default: `feishu.cn`.
 * @quirk The id is the `union_id`, the same in all apps of one developer.
 * @quirk The address is the user's own. If it is missing, the company's address for the user is used.
 * @quirk The administrator of any company can enter these addresses, so they do not count as verified. If only your own
 * company can use the app, set `emailVerification: 'always'`.
 */
export default function Feishu<P extends FeishuProfile = FeishuProfile>(
  config: FeishuOptions<P> = {},
): OAuth2Config<NoInfer<P>> {
  const { domain = 'feishu.cn', ...options } = config;
  const api = `https://open.${domain}/open-apis/authen`;
  return {
    id: 'feishu',
    name: domain === 'feishu.cn' ? 'Feishu' : 'Lark',
    type: 'oauth',
    authorization: {
      url: `https://accounts.${domain}/open-apis/authen/v1/authorize`,
      params: { scope: 'contact:user.email:readonly' },
    },
    token: {
      url: `${api}/v2/oauth/token`,
      // Feishu accepts only JSON.
      async request({ provider, params, checks }) {
        const { redirectUri = provider.callbackUrl } = provider;
        const answer = await provider.fetch(`${api}/v2/oauth/token`, {
          method: 'POST',
          headers: { ...headers, 'content-type': 'application/json' },
          body: JSON.stringify({
            grant_type: 'authorization_code',
            client_id: provider.clientId,
            client_secret: provider.clientSecret,
            code: params['code'],
            redirect_uri: redirectUri,
            code_verifier: checks.code_verifier,
          }),
        });
        const { code: _, ...tokens } = await read(answer, 'tokens');
        return { tokens };
      },
    },
    userinfo: {
      url: `${api}/v1/user_info`,
      async request({ tokens, provider }) {
        const authorization = `Bearer ${tokens.access_token}`;
        const answer = await provider.fetch(`${api}/v1/user_info`, { headers: { ...headers, authorization } });
        return (await read(answer, 'user'))['data'];
      },
    },
    emailVerification: 'never',
    profile: ({ union_id, name, avatar_url, email, enterprise_email }) => ({
      id: union_id,
      name,
      email: email || enterprise_email || null,
      image: avatar_url ?? null,
    }),
    style: { brandColor: '#3370ff' },
    options,
  };
}

const headers = { accept: 'application/json', 'user-agent': 'latchkey' };

/** Throws if Feishu reports an error: a `code` above 0, with any status. */
async function read(answer: Response, what: string): Promise<TokenSet> {
  const body = await answer.json().catch(() => ({}));
  if (!answer.ok || body.code !== 0) {
    throw new Error(`Feishu answered ${answer.status} for the ${what}, with code ${Number(body.code)}`);
  }
  return body;
}
