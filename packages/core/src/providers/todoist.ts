import { siTodoist as mark } from 'simple-icons';
import type { Untyped } from '../types/user.ts';
import type { OAuth2Config, OAuthUserConfig } from './oauth.ts';

/** Members of Todoist's user that the provider reads. */
export interface TodoistProfile {
  id: string;
  email: string;
  /** `verified`, `unverified`, `blocked`, or `legacy` for accounts from before August 2022. */
  verification_status?: string;
  full_name: string;
  avatar_big?: string | null;
  [claim: string]: Untyped;
}

/**
 * Todoist.
 *
 * @see https://developer.todoist.com/api/v1/#tag/Authorization
 * @see https://developer.todoist.com/api/v1/#tag/User
 * @reviewed 2026-11-21
 * @email stated https://developer.todoist.com/api/v1/#tag/Sync/User 2026-11-23
 * @register At https://app.todoist.com/app/settings/integrations/app-management: Create an app and enter the callback
 * URL as "OAuth redirect URL". An app has only one, so create an app for each environment.
 * @quirk An address counts as verified only with the `verification_status` `verified`. Accounts from before August 2022
 * have `legacy`.
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
    // Version 9 of the Sync API, which also returns the user, ended in February 2026.
    userinfo: 'https://api.todoist.com/api/v1/user',
    client: { token_endpoint_auth_method: 'client_secret_post' },
    conformProfile: (user) => (user.verification_status === 'verified' ? { ...user, email_verified: true } : user),
    emailVerification: ({ verification_status: status }) => (status && status !== 'verified' ? 'never' : undefined),
    profile: ({ id, email, full_name, avatar_big }) => ({
      id: String(id),
      name: full_name,
      email,
      image: avatar_big ?? null,
    }),
    style: { brandColor: '#e44332', icon: mark.path },
    options,
  };
}
