import { icon } from '../icons/notion.ts';
import type { Foreign } from '../types.ts';
import type { OAuth2Config, OAuthUserConfig } from './oauth.ts';

/** The members of Notion's user that are read here. */
export interface NotionProfile {
  id: string;
  name: string | null;
  avatar_url: string | null;
  person?: { email?: string };
  [claim: string]: Foreign;
}

/** Options of the Notion provider. */
export type NotionOptions<P extends NotionProfile = NotionProfile> = OAuthUserConfig<P> & {
  /** Not read: the callback address is sent. */
  redirectUri?: string | undefined;
};

/**
 * Notion.
 *
 * @see https://developers.notion.com/guides/get-started/authorization
 * @see https://developers.notion.com/reference/get-self
 * @reviewed 2026-11-21
 * @register At https://www.notion.so/profile/integrations: make a public integration with the callback address under "Redirect
 * URIs", and the capability to read user information including email addresses.
 * @option `redirectUri` Accepted and not needed: the callback address is sent.
 * @quirk Visitors have to choose pages that the integration may see.
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
      // The token is a bot's; who has let it in is the visitor. A bot that a workspace owns stands for nobody.
      async conform(answer) {
        if (!answer.ok) return undefined;
        const { bot } = await answer.json();
        return Response.json(bot?.owner?.user ?? null);
      },
    },
    profile: ({ id, name, avatar_url, person }) => ({ id, name, email: person?.email ?? null, image: avatar_url }),
    style: { brandColor: '#000000', icon },
    options: config,
  };
}
