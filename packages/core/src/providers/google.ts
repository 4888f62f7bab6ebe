import { AccessDenied } from '../errors.ts';
import mark from '../marks/google.ts';
import type { Untyped } from '../types/user.ts';
import type { OIDCConfig, OIDCUserConfig } from './oauth.ts';

/** Claims of Google's ID token that the provider reads. */
export interface GoogleProfile {
  sub: string;
  name: string;
  email: string;
  email_verified: boolean;
  picture: string;
  /** Domain of the Workspace organization. Absent for personal accounts. */
  hd?: string;
  [claim: string]: Untyped;
}

/**
 * Google accounts, both personal and of Workspace organizations.
 *
 * @see https://developers.google.com/identity/openid-connect/openid-connect
 * @reviewed 2026-11-21
 * @email stated
 * @register At https://console.cloud.google.com/auth/clients: Create a client of the type "Web application" and add the
 * callback URL to its "Authorized redirect URIs". While the application is being tested, only the users listed under
 * "Audience" can sign in.
 * @quirk With `authorization: { params: { hd: 'example.com' } }` only users of that Workspace domain are accepted. With
 * `hd: '*'`, users of any Workspace domain are accepted. Others are refused with `AccessDenied`.
 * @quirk `offline: true` requests a refresh token. Google issues it with the first consent only. To get one again, call
 * `signIn('google', { scopes: [] })`, or set `authorization: { params: { prompt: 'consent' } }`.
 */
export default function Google<P extends GoogleProfile = GoogleProfile>(
  options: OIDCUserConfig<P> = {},
): OIDCConfig<NoInfer<P>> {
  return {
    id: 'google',
    name: 'Google',
    type: 'oidc',
    issuer: 'https://accounts.google.com',
    offlineAccess: { params: { access_type: 'offline' } },
    apis: ['https://*.googleapis.com'],
    // Google reports these two by longer names.
    scopes: {
      aliases: {
        'https://www.googleapis.com/auth/userinfo.email': 'email',
        'https://www.googleapis.com/auth/userinfo.profile': 'profile',
      },
    },
    conformProfile(profile, { asked: { hd } }) {
      const fits = hd === '*' ? profile.hd : profile.hd?.toLowerCase() === hd?.toLowerCase();
      if (hd && !fits) throw new AccessDenied('the Google account must belong to the domain in `hd`');
      return profile;
    },
    style: { brandColor: '#1a73e8', icon: mark },
    options,
  };
}
