import type { Untyped } from '../types/user.ts';
import type { OIDCConfig, OIDCUserConfig } from './oauth.ts';

/** Members of Yahoo's userinfo that the provider reads. */
export interface YahooProfile {
  sub: string;
  name?: string;
  nickname?: string;
  email?: string;
  email_verified?: boolean;
  picture?: string;
  /** URLs of the picture in several sizes. */
  profile_images?: { image192?: string };
  [claim: string]: Untyped;
}

/**
 * Yahoo. Yahoo! JAPAN is a different company with separate accounts.
 *
 * @see https://developer.yahoo.com/sign-in-with-yahoo/
 * @see https://developer.yahoo.com/oauth2/guide/openid_connect/
 * @reviewed 2026-11-21
 * @email stated
 * @register At https://developer.yahoo.com/apps/create/: Create an app with the OpenID Connect permissions "Email" and
 * "Profile", and enter the callback URL under "Redirect URI(s)". Yahoo accepts only https, even for localhost.
 */
export default function Yahoo<P extends YahooProfile = YahooProfile>(
  options: OIDCUserConfig<P> = {},
): OIDCConfig<NoInfer<P>> {
  return {
    id: 'yahoo',
    name: 'Yahoo',
    type: 'oidc',
    issuer: 'https://api.login.yahoo.com',
    // The ID token does not contain all members of the profile.
    idToken: false,
    profile: ({ sub, name, nickname, email, picture, profile_images: images }) => ({
      id: sub,
      name: name ?? nickname ?? null,
      email: email ?? null,
      image: picture ?? images?.image192 ?? null,
    }),
    style: { brandColor: '#6001d2' },
    options,
  };
}
