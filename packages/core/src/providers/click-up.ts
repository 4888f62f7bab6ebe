import { siClickup as mark } from 'simple-icons';
import type { Untyped } from '../types/user.ts';
import type { OAuth2Config, OAuthUserConfig } from './oauth.ts';

/** Members of ClickUp's user that the provider reads. */
export interface ClickUpProfile {
  user: { id: number; username: string; email?: string; color: string; profilePicture: string | null };
  [claim: string]: Untyped;
}

/**
 * ClickUp.
 *
 * @see https://developer.clickup.com/docs/authentication
 * @see https://developer.clickup.com/reference/getaccesstoken
 * @see https://developer.clickup.com/reference/getauthorizeduser
 * @reviewed 2026-11-21
 * @email not-stated
 * @register In a workspace's settings, "ClickUp API": Create an app and enter the callback URL as "Redirect URL".
 * @quirk ClickUp has no scopes: users choose the workspaces that the token gives access to.
 */
export default function ClickUp<P extends ClickUpProfile = ClickUpProfile>(
  options: OAuthUserConfig<P> = {},
): OAuth2Config<NoInfer<P>> {
  return {
    id: 'click-up',
    name: 'ClickUp',
    type: 'oauth',
    authorization: 'https://app.clickup.com/api',
    token: {
      url: 'https://api.clickup.com/api/v2/oauth/token',
      async request({ provider, params }) {
        const answer = await provider.fetch(String(provider.token.url), {
          method: 'POST',
          headers: { accept: 'application/json', 'content-type': 'application/json', 'user-agent': 'latchkey' },
          body: JSON.stringify({
            client_id: provider.clientId,
            client_secret: provider.clientSecret,
            code: params['code'],
          }),
        });
        if (!answer.ok) throw new Error(`ClickUp answered ${answer.status} for the token`);
        return { tokens: await answer.json() };
      },
    },
    userinfo: 'https://api.clickup.com/api/v2/user',
    checks: ['state'],
    profile: ({ user: { id, username, email, color, profilePicture } }) => ({
      id: String(id),
      name: username,
      email: email ?? null,
      image: profilePicture,
      profilePicture,
      color,
    }),
    style: { brandColor: '#24292f', icon: mark.path },
    options,
  };
}
