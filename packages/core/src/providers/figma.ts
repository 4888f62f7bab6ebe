import { siFigma as mark } from 'simple-icons';
import type { Untyped } from '../types/user.ts';
import type { OAuth2Config, OAuthUserConfig } from './oauth.ts';

/** Members of Figma's user that the provider reads. */
export interface FigmaProfile {
  id: string;
  handle: string;
  email: string;
  img_url: string;
  [claim: string]: Untyped;
}

/**
 * Figma.
 *
 * @see https://developers.figma.com/docs/rest-api/authentication/
 * @see https://developers.figma.com/docs/rest-api/republish-oauth-apps/
 * @reviewed 2026-11-21
 * @email not-stated
 * @register At https://www.figma.com/developers/apps: Create an app with the callback URL and the scope
 * `current_user:read`, and publish it. Figma reviews public apps.
 * @quirk The former default scope, `files:read`, is being removed (since November 2025). If you need files, add the
 * scopes for them, such as `file_content:read`, to `current_user:read`.
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
    style: { brandColor: '#ff7237', icon: mark.path },
    options,
  };
}
