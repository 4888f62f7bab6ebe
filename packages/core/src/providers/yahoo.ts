import type { Foreign } from '../types.ts';
import type { OIDCConfig, OIDCUserConfig } from './oauth.ts';

/** The members of Yahoo's userinfo that are read here. */
export interface YahooProfile {
  sub: string;
  name?: string;
  nickname?: string;
  email?: string;
  email_verified?: boolean;
  picture?: string;
  /** The picture in several sizes. */
  profile_images?: { image192?: string };
  [claim: string]: Foreign;
}

/**
 * Yahoo. (Yahoo! JAPAN is another company, with accounts of its own.)
 *
 * @see https://developer.yahoo.com/sign-in-with-yahoo/
 * @see https://developer.yahoo.com/oauth2/guide/openid_connect/
 * @reviewed 2026-11-21
 * @register At https://developer.yahoo.com/apps/create/: create an app with the OpenID Connect permissions "Email" and "Profile", and
 * enter the callback address under "Redirect URI(s)". Yahoo takes https only, for localhost too.
 */
export default function Yahoo<P extends YahooProfile = YahooProfile>(
  options: OIDCUserConfig<P> = {},
): OIDCConfig<NoInfer<P>> {
  return {
    id: 'yahoo',
    name: 'Yahoo',
    type: 'oidc',
    issuer: 'https://api.login.yahoo.com',
    // The ID token does not tell all of it.
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
