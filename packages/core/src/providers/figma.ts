import { icon } from '../icons/figma.ts';
import type { Foreign } from '../types.ts';
import type { OAuth2Config, OAuthUserConfig } from './oauth.ts';

/** The members of Figma's user that are read here. */
export interface FigmaProfile {
  id: string;
  handle: string;
  email: string;
  img_url: string;
  [claim: string]: Foreign;
}

/**
 * Figma.
 *
 * @see https://developers.figma.com/docs/rest-api/authentication/
 * @see https://developers.figma.com/docs/rest-api/republish-oauth-apps/
 * @reviewed 2026-11-21
 * @register At https://www.figma.com/developers/apps: create an app with the callback address and the scope `current_user:read`,
 * and publish it; Figma reviews apps that are for everybody.
 * @quirk The former default scope, `files:read`, is being removed (since November 2025). Name the scopes for files that you need
 * (`file_content:read` and so on) beside `current_user:read`.
 */
export default function Figma<P extends FigmaProfile = FigmaProfile>(
  options: OAuthUserConfig<P> = {},
): OAuth2Config<NoInfer<P>> {
  return {
    id: 'figma',
    name: 'Figma',
    type: 'oauth',
    authorization: { url: 'https://www.figma.com/oauth', params: { scope: 'current_user:read' } },
    token: 'https://api.figma.com/v1/oauth/token',
    userinfo: 'https://api.figma.com/v1/me',
    checks: ['state'],
    profile: ({ id, handle, email, img_url }) => ({ id, name: handle, email, image: img_url }),
    style: { brandColor: '#ff7237', icon },
    options,
  };
}
