import type { Foreign } from '../types.ts';
import type { OIDCConfig, OIDCUserConfig } from './oauth.ts';

/** The claims of Frontegg's ID token that are read here. */
export interface FronteggProfile {
  sub: string;
  name: string;
  email: string;
  email_verified: boolean;
  picture?: string | null;
  profilePictureUrl?: string | null;
  [claim: string]: Foreign;
}

/**
 * Frontegg.
 *
 * @see https://developers.frontegg.com/guides/management/frontegg-idp/via-oidc
 * @reviewed 2026-11-21
 * @register In the Frontegg portal, "Authentication", "Login method", "Hosted login": add the callback address. Id and secret are
 * under "Applications", or in the environment's settings.
 * @issuer The environment's domain: `https://<subdomain>.frontegg.com`, or the custom one.
 */
export default function Frontegg<P extends FronteggProfile = FronteggProfile>(
  options: OIDCUserConfig<P> = {},
): OIDCConfig<NoInfer<P>> {
  return {
    id: 'frontegg',
    name: 'Frontegg',
    type: 'oidc',
    authorization: './oauth/authorize',
    token: './oauth/token',
    profile: ({ sub, name, email, picture, profilePictureUrl }) => ({
      id: sub,
      name,
      email,
      image: picture ?? profilePictureUrl ?? null,
    }),
    style: { brandColor: '#36a0ff' },
    options,
  };
}
