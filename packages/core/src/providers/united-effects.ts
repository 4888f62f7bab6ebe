import { type OIDCConfig, type OIDCUserConfig, type OpenIDProfile, openIDProvider } from './oauth.ts';

/** The claims of United Effects' ID token. */
export interface UnitedEffectsProfile extends OpenIDProfile {}

/**
 * United Effects Auth.
 *
 * @see https://docs.unitedeffects.com/integrations/nextauthjs
 * @reviewed 2026-11-21
 * @email not-stated
 * @register In the admin portal of your Auth Group: Create an OIDC client and add the callback URL to its redirect
 * URLs.
 * @issuer The URL with the id of the Auth Group: `https://auth.unitedeffects.com/<auth group id>`.
 * @quirk United Effects provides neither a name nor a picture.
 */
export default function UnitedEffects<P extends UnitedEffectsProfile = UnitedEffectsProfile>(
  options: OIDCUserConfig<P> = {},
): OIDCConfig<NoInfer<P>> {
  return openIDProvider('united-effects', 'United Effects', options, {
    authorization: { params: { scope: 'openid email profile', resource: ({ issuer }: { issuer?: string }) => issuer } },
    style: { brandColor: '#000000' },
  });
}
