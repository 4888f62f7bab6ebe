import { type OIDCConfig, type OIDCUserConfig, type OpenIDProfile, openIDProvider } from './oauth.ts';

/** The claims of Passage's ID token. */
export interface PassageProfile extends OpenIDProfile {
  phone?: string;
  phone_number_verified?: boolean;
}

/**
 * Passage by 1Password.
 *
 * @see https://docs.passage.id/hosted-login/oidc-client-configuration
 * @reviewed 2026-11-21
 * @email stated
 * @register New apps cannot be registered.
 * @issuer The URL of the app: `https://<name>.withpassage.com`.
 * @quirk 1Password shut Passage down on January 16, 2026: move your users to another provider.
 * @quirk Passage provides neither a name nor a picture.
 */
export default function Passage<P extends PassageProfile = PassageProfile>(
  options: OIDCUserConfig<P> = {},
): OIDCConfig<NoInfer<P>> {
  return openIDProvider('passage', 'Passage', options, {
    client: { token_endpoint_auth_method: 'client_secret_basic' },
    style: { brandColor: '#3d53f6' },
  });
}
