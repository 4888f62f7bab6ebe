import { icon } from '../icons/simplelogin.ts';
import type { Foreign } from '../types.ts';
import type { OIDCConfig, OIDCUserConfig } from './oauth.ts';

/** The claims of SimpleLogin's ID token that are read here. */
export interface SimpleLoginProfile {
  sub: string;
  name?: string;
  /** The visitor's own address, or an alias made for your site. */
  email?: string;
  email_verified?: boolean;
  avatar_url?: string | null;
  [claim: string]: Foreign;
}

/**
 * SimpleLogin.
 *
 * @see https://simplelogin.io/docs/siwsl/intro/
 * @reviewed 2026-11-21
 * @register At https://app.simplelogin.io/developer: create a website and add the callback address under "OAuth settings". SimpleLogin
 * takes http for localhost only.
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
    style: { brandColor: '#e3156a', icon },
    options,
  };
}
