import { icon } from '../icons/todoist.ts';
import type { Foreign } from '../types.ts';
import type { OAuth2Config, OAuthUserConfig } from './oauth.ts';

/** The members of Todoist's user that are read here. */
export interface TodoistProfile {
  id: string;
  email: string;
  full_name: string;
  avatar_big?: string | null;
  [claim: string]: Foreign;
}

/**
 * Todoist.
 *
 * @see https://developer.todoist.com/api/v1/#tag/Authorization
 * @see https://developer.todoist.com/api/v1/#tag/User
 * @reviewed 2026-11-21
 * @register At https://app.todoist.com/app/settings/integrations/app-management: create an app and enter the callback address as "OAuth
 * redirect URL". It has one, so make an app for each environment.
 */
export default function TodoistProvider<P extends TodoistProfile = TodoistProfile>(
  options: OAuthUserConfig<P> = {},
): OAuth2Config<NoInfer<P>> {
  return {
    id: 'todoist',
    name: 'Todoist',
    type: 'oauth',
    authorization: { url: 'https://app.todoist.com/oauth/authorize', params: { scope: 'data:read' } },
    token: 'https://api.todoist.com/oauth/access_token',
    // Version 9 of the "Sync" API, which used to tell the user, has ended in February 2026.
    userinfo: 'https://api.todoist.com/api/v1/user',
    client: { token_endpoint_auth_method: 'client_secret_post' },
    profile: ({ id, email, full_name, avatar_big }) => ({
      id: String(id),
      name: full_name,
      email,
      image: avatar_big ?? null,
    }),
    style: { brandColor: '#e44332', icon },
    options,
  };
}
