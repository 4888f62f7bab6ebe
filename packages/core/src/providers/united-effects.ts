import type { Foreign } from '../types.ts';
import type { OIDCConfig, OIDCUserConfig } from './oauth.ts';

/** The claims of United Effects' ID token that are read here. */
export interface UnitedEffectsProfile {
  sub: string;
  email?: string;
  [claim: string]: Foreign;
}

/**
 * United Effects Auth.
 *
 * @see https://docs.unitedeffects.com/integrations/nextauthjs
 * @reviewed 2026-11-21
 * @register In the admin portal of your Auth Group: create an OIDC client and add the callback address to its redirect addresses.
 * @issuer With the Auth Group: `https://auth.unitedeffects.com/<auth group id>`.
 * @quirk United Effects tells neither a name nor a picture.
 */
export default function UnitedEffects<P extends UnitedEffectsProfile = UnitedEffectsProfile>(
  options: OIDCUserConfig<P> = {},
): OIDCConfig<NoInfer<P>> {
  return {
    id: 'united-effects',
    name: 'United Effects',
    type: 'oidc',
    authorization: { params: { scope: 'openid email profile', resource: ({ issuer }: { issuer?: string }) => issuer } },
    style: { brandColor: '#000000' },
    options,
  };
}
