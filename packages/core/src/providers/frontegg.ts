import type { Untyped } from '../types/user.ts';
import type { OIDCConfig, OIDCUserConfig } from './oauth.ts';

/** Claims of Frontegg's ID token that the provider reads. */
export interface FronteggProfile {
  sub: string;
  name: string;
  email: string;
  email_verified: boolean;
  picture?: string | null;
  profilePictureUrl?: string | null;
  [claim: string]: Untyped;
}

/**
 * Frontegg.
 *
 * @see https://developers.frontegg.com/guides/management/frontegg-idp/via-oidc
 * @reviewed 2026-11-21
 * @email stated
 * @register In the Frontegg portal, "Authentication", "Login method", "Hosted login": Add the callback URL. The client
 * id and the secret are under "Applications" or in the settings of the environment.
 * @issuer The environment's domain: `https://<subdomain>.frontegg.com`, or the custom domain.
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
