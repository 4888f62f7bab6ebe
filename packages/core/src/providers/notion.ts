import { siNotion as mark } from 'simple-icons';
import type { Untyped } from '../types/user.ts';
import type { OAuth2Config, OAuthUserConfig } from './oauth.ts';

/** Members of Notion's user that the provider reads. */
export interface NotionProfile {
  id: string;
  name: string | null;
  avatar_url: string | null;
  person?: { email?: string };
  [claim: string]: Untyped;
}

/** Options of the Notion provider. */
export type NotionOptions<P extends NotionProfile = NotionProfile> = OAuthUserConfig<P> & {
  /** Has no effect: the callback URL is sent. */
  redirectUri?: string | undefined;
};

/**
 * Notion.
 *
 * @see https://developers.notion.com/guides/get-started/authorization
 * @see https://developers.notion.com/reference/get-self
 * @reviewed 2026-11-21
 * @email not-stated
 * @register At https://www.notion.so/profile/integrations: Create a public integration with the callback URL under
 * "Redirect URIs". Give it the capability to read user information including email addresses.
 * @option `redirectUri` Has no effect: the callback URL is sent.
 * @quirk Users have to choose the pages that the integration may read.
 */
export default function NotionProvider<P extends NotionProfile = NotionProfile>(
  config: NotionOptions<P> = {},
): OAuth2Config<NoInfer<P>> {
  return {
    id: 'notion',
    name: 'Notion',
    type: 'oauth',
    authorization: { url: 'https://api.notion.com/v1/oauth/authorize', params: { owner: 'user' } },
    token: 'https://api.notion.com/v1/oauth/token',
    userinfo: {
      url: 'https://api.notion.com/v1/users/me',
      headers: { 'notion-version': '2022-06-28' },
      // The token belongs to a bot, and the bot's owner is the user. A bot that a workspace owns has no user.
      async conform(answer) {
        if (!answer.ok) return undefined;
        const { bot } = await answer.json();
        return Response.json(bot?.owner?.user ?? null);
      },
    },
    profile: ({ id, name, avatar_url, person }) => ({ id, name, email: person?.email ?? null, image: avatar_url }),
    style: { brandColor: '#000000', icon: mark.path },
    options: config,
  };
}
