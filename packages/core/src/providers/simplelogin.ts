import { siSimplelogin as mark } from 'simple-icons';
import type { Untyped } from '../types/user.ts';
import type { OIDCConfig, OIDCUserConfig } from './oauth.ts';

/** Claims of SimpleLogin's ID token that the provider reads. */
export interface SimpleLoginProfile {
  sub: string;
  name?: string;
  /** The user's own address, or an alias for your site. */
  email?: string;
  email_verified?: boolean;
  avatar_url?: string | null;
  [claim: string]: Untyped;
}

/**
 * SimpleLogin.
 *
 * @see https://simplelogin.io/docs/siwsl/intro/
 * @reviewed 2026-11-21
 * @email stated
 * @register At https://app.simplelogin.io/developer: Create a website and add the callback URL under "OAuth settings".
 * SimpleLogin accepts http for localhost only.
 */
export default function SimpleLogin<P extends SimpleLoginProfile = SimpleLoginProfile>(
  options: OIDCUserConfig<P> = {},
): OIDCConfig<NoInfer<P>> {
  return {
    id: 'simplelogin',
    name: 'SimpleLogin',
    type: 'oidc',
    issuer: 'https://app.simplelogin.io',
    profile: ({ sub, name, email, avatar_url }) => ({
      id: sub,
      name: name ?? null,
      email: email ?? null,
      image: avatar_url ?? null,
    }),
    style: { brandColor: '#e3156a', icon: mark.path },
    options,
  };
}
