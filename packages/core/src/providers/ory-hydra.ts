import { siOry as mark } from 'simple-icons';
import { type OIDCConfig, type OIDCUserConfig, type OpenIDProfile, openIDProvider } from './oauth.ts';

/** The claims of Hydra's ID token. */
export interface OryHydraProfile extends OpenIDProfile {}

/**
 * Ory Hydra, in Ory Network or self-hosted.
 *
 * @see https://www.ory.com/docs/oauth2-oidc/authorization-code-flow
 * @reviewed 2026-11-21
 * @email stated
 * @register In the Ory Console, "OAuth 2", or with `ory create oauth2-client`: Create a client with the grant
 * `authorization_code` and the scopes `openid`, `profile` and `email`. Set the callback URL as redirect URI, and the
 * authentication method `client_secret_basic`.
 * @issuer `https://<slug>.projects.oryapis.com`, or the custom domain. For a self-hosted server, the value of
 * `urls.self.issuer`.
 * @quirk In addition to the id, an ID token contains the claims that the consent app adds (`session.id_token`).
 */
export default function OryHydra<P extends OryHydraProfile = OryHydraProfile>(
  options: OIDCUserConfig<P> = {},
): OIDCConfig<NoInfer<P>> {
  return openIDProvider('hydra', 'Hydra', options, {
    style: { brandColor: '#0f172a', icon: mark.path },
  });
}
