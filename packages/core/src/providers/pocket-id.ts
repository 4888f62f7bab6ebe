import type { Foreign } from '../types.ts';
import type { OIDCConfig, OIDCUserConfig } from './oauth.ts';

/** The claims of Pocket ID's ID token that are read here. */
export interface PocketIDProfile {
  sub: string;
  name?: string;
  preferred_username?: string;
  email?: string;
  email_verified?: boolean;
  picture?: string;
  [claim: string]: Foreign;
}

/**
 * Pocket ID.
 *
 * @see https://pocket-id.org/docs/client-examples
 * @reviewed 2026-11-21
 * @register In its administration, "OIDC Clients": add one with the callback address under "Callback URLs", and allow the groups that
 * may sign in.
 * @issuer The instance's address, its `APP_URL`: `https://<host>`.
 */
export default function PocketID<P extends PocketIDProfile = PocketIDProfile>(
  options: OIDCUserConfig<P> = {},
): OIDCConfig<NoInfer<P>> {
  return {
    id: 'pocket-id',
    name: 'Pocket ID',
    type: 'oidc',
    style: { brandColor: '#000000' },
    options,
  };
}
