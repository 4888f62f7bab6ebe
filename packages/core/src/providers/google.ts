import { AccessDenied } from '../errors.ts';
import { icon } from '../icons/google.ts';
import type { Foreign } from '../types.ts';
import type { OIDCConfig, OIDCUserConfig } from './oauth.ts';

/** The claims of Google's ID token that are read here. */
export interface GoogleProfile {
  sub: string;
  name: string;
  email: string;
  email_verified: boolean;
  picture: string;
  /** Domain of the Workspace organisation; personal accounts have none. */
  hd?: string;
  [claim: string]: Foreign;
}

/**
 * Google accounts, personal and of Workspace organisations.
 *
 * @see https://developers.google.com/identity/openid-connect/openid-connect
 * @reviewed 2026-11-21
 * @register At https://console.cloud.google.com/auth/clients: create a client of the type "Web application" and add the
 * callback address to its "Authorized redirect URIs". Who may sign in while the application is being tested is listed
 * under "Audience".
 * @quirk With `authorization: { params: { hd: 'example.com' } }` only users of that Workspace domain get in, with `hd: '*'`
 * those of any; whoever comes back from elsewhere is refused with `AccessDenied`.
 * @quirk A refresh token comes with `authorization: { params: { access_type: 'offline', prompt: 'consent' } }`.
 */
export default function Google<P extends GoogleProfile = GoogleProfile>(
  options: OIDCUserConfig<P> = {},
): OIDCConfig<NoInfer<P>> {
  return {
    id: 'google',
    name: 'Google',
    type: 'oidc',
    issuer: 'https://accounts.google.com',
    conformProfile(profile, { asked: { hd } }) {
      const fits = hd === '*' ? profile.hd : profile.hd?.toLowerCase() === hd?.toLowerCase();
      if (hd && !fits) throw new AccessDenied('the Google account is not of the domain that `hd` asks for');
      return profile;
    },
    style: { brandColor: '#1a73e8', icon },
    options,
  };
}
