import { icon } from '../icons/ory-hydra.ts';
import type { Foreign } from '../types.ts';
import type { OIDCConfig, OIDCUserConfig } from './oauth.ts';

/** The claims of Hydra's ID token that are read here. */
export interface OryHydraProfile {
  sub: string;
  name?: string;
  email?: string;
  email_verified?: boolean;
  picture?: string;
  [claim: string]: Foreign;
}

/**
 * Ory Hydra, in Ory Network or self-hosted.
 *
 * @see https://www.ory.com/docs/oauth2-oidc/authorization-code-flow
 * @reviewed 2026-11-21
 * @register In the Ory Console, "OAuth 2", or with `ory create oauth2-client`: a client with the grant `authorization_code`, the
 * callback address as redirect URI, the scopes `openid`, `profile` and `email`, and the method `client_secret_basic`.
 * @issuer `https://<slug>.projects.oryapis.com`, the custom domain, or what `urls.self.issuer` says in an installation of one's
 * own.
 * @quirk Beside the id, an ID token holds what the consent app puts there (`session.id_token`).
 */
export default function OryHydra<P extends OryHydraProfile = OryHydraProfile>(
  options: OIDCUserConfig<P> = {},
): OIDCConfig<NoInfer<P>> {
  return {
    id: 'hydra',
    name: 'Hydra',
    type: 'oidc',
    style: { brandColor: '#0f172a', icon },
    options,
  };
}
