import type { Foreign } from '../types.ts';
import type { OIDCConfig, OIDCUserConfig } from './oauth.ts';

/** The claims of Passage's ID token that are read here. */
export interface PassageProfile {
  sub: string;
  email?: string;
  email_verified?: boolean;
  phone?: string;
  phone_number_verified?: boolean;
  [claim: string]: Foreign;
}

/**
 * Passage by 1Password.
 *
 * @see https://docs.passage.id/hosted-login/oidc-client-configuration
 * @reviewed 2026-11-21
 * @register No longer possible.
 * @issuer Of an app: `https://<name>.withpassage.com`.
 * @quirk 1Password has ended Passage on 16 January 2026: move your users to another provider.
 * @quirk Passage tells neither a name nor a picture.
 */
export default function Passage<P extends PassageProfile = PassageProfile>(
  options: OIDCUserConfig<P> = {},
): OIDCConfig<NoInfer<P>> {
  return {
    id: 'passage',
    name: 'Passage',
    type: 'oidc',
    client: { token_endpoint_auth_method: 'client_secret_basic' },
    style: { brandColor: '#3d53f6' },
    options,
  };
}
