import { AccessDenied } from '../errors.ts';
import type { Foreign } from '../types.ts';
import type { OIDCConfig, OIDCUserConfig } from './oauth.ts';

/** The claims of Slack's ID token that are read here. */
export interface SlackProfile {
  sub: string;
  name: string;
  email: string;
  email_verified: boolean;
  picture?: string;
  'https://slack.com/team_id': string;
  'https://slack.com/user_image_192'?: string;
  [claim: string]: Foreign;
}

/**
 * Sign in with Slack.
 *
 * @see https://docs.slack.dev/authentication/sign-in-with-slack/
 * @reviewed 2026-11-21
 * @register At https://api.slack.com/apps: create an app and add the callback address under "OAuth & Permissions", "Redirect
 * URLs". Slack takes https only. An app that is not distributed serves its own workspace.
 * @quirk With `authorization: { params: { team: 'T0123456' } }` only members of that workspace get in; others are refused with
 * `AccessDenied`.
 * @quirk The id is the one of the workspace's member: who is in two workspaces is two users.
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
    conformProfile(profile, { asked: { team } }) {
      if (team && profile['https://slack.com/team_id'] !== team) {
        throw new AccessDenied('the Slack account is of another workspace than the one that `team` asks for');
      }
      return profile;
    },
    profile: (profile) => ({
      id: profile.sub,
      name: profile.name,
      email: profile.email,
      image: profile.picture ?? profile['https://slack.com/user_image_192'] ?? null,
    }),
    style: { brandColor: '#611f69' },
    options,
  };
}
