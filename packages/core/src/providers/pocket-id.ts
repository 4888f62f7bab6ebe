import { type OIDCConfig, type OIDCUserConfig, type OpenIDProfile, openIDProvider } from './oauth.ts';

/** The claims of Pocket ID's ID token. */
export interface PocketIDProfile extends OpenIDProfile {}

/**
 * Pocket ID.
 *
 * @see https://pocket-id.org/docs/client-examples
 * @reviewed 2026-11-21
 * @email stated
 * @register In the administration, "OIDC Clients": Add a client with the callback URL under "Callback URLs", and allow
 * the groups that may sign in.
 * @issuer The URL of the instance, its `APP_URL`: `https://<host>`.
 */
export default function PocketID<P extends PocketIDProfile = PocketIDProfile>(
  options: OIDCUserConfig<P> = {},
): OIDCConfig<NoInfer<P>> {
  return openIDProvider('pocket-id', 'Pocket ID', options, {
    style: { brandColor: '#000000' },
  });
}
