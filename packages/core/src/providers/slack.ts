import { AccessDenied } from '../errors.ts';
import mark from '../marks/slack.ts';
import type { Untyped } from '../types/user.ts';
import type { OIDCConfig, OIDCUserConfig } from './oauth.ts';

/** Claims of Slack's ID token that the provider reads. */
export interface SlackProfile {
  sub: string;
  name: string;
  email: string;
  email_verified: boolean;
  picture?: string;
  'https://slack.com/team_id': string;
  'https://slack.com/user_image_192'?: string;
  [claim: string]: Untyped;
}

/**
 * Sign in with Slack.
 *
 * @see https://docs.slack.dev/authentication/sign-in-with-slack/
 * @reviewed 2026-11-21
 * @email stated
 * @register At https://api.slack.com/apps: Create an app and add the callback URL under "OAuth & Permissions",
 * "Redirect URLs". Slack accepts only https. Until the app is distributed, only members of its own workspace can sign
 * in.
 * @quirk With `authorization: { params: { team: 'T0123456' } }` only members of that workspace are accepted. Others are
 * refused with `AccessDenied`.
 * @quirk The id belongs to the member of a workspace. A person in two workspaces has two users.
 */
export default function Slack<P extends SlackProfile = SlackProfile>(
  options: OIDCUserConfig<P> = {},
): OIDCConfig<NoInfer<P>> {
  return {
    id: 'slack',
    name: 'Slack',
    type: 'oidc',
    issuer: 'https://slack.com',
    checks: ['nonce'],
    offlineAccess: {},
    apis: ['https://slack.com'],
    conformProfile(profile, { asked: { team } }) {
      if (team && profile['https://slack.com/team_id'] !== team) {
        throw new AccessDenied('the Slack account must belong to the workspace in `team`');
      }
      return profile;
    },
    profile: (profile) => ({
      id: profile.sub,
      name: profile.name,
      email: profile.email,
      image: profile.picture ?? profile['https://slack.com/user_image_192'] ?? null,
    }),
    style: { brandColor: '#611f69', icon: mark },
    options,
  };
}
