import { icon } from '../icons/orcid.ts';
import type { Foreign } from '../types.ts';
import type { OIDCConfig, OIDCUserConfig } from './oauth.ts';

/** The claims of ORCID's ID token that are read here. */
export interface ORCIDProfile {
  /** The ORCID iD, `0000-0002-…`. */
  sub: string;
  /** Absent when it is not public. */
  given_name?: string | null;
  family_name?: string | null;
  [claim: string]: Foreign;
}

/** Options of the ORCID provider. */
export type ORCIDOptions<P extends ORCIDProfile = ORCIDProfile> = OIDCUserConfig<P> & {
  /** Asks ORCID's sandbox, whose clients and accounts are others. Default: `false`. */
  sandbox?: boolean | undefined;
};

/**
 * ORCID.
 *
 * @see https://info.orcid.org/documentation/api-tutorials/api-tutorial-get-and-authenticated-orcid-id/
 * @see https://github.com/ORCID/ORCID-Source/blob/main/orcid-web/ORCID_AUTH_WITH_OPENID_CONNECT.md
 * @reviewed 2026-11-21
 * @register At https://orcid.org/developer-tools: register for the public API with the callback address as "Redirect URI". ORCID takes
 * https only; its sandbox takes http://127.0.0.1, too.
 * @option `sandbox` Asks ORCID's sandbox, whose clients and accounts are others.
 * @quirk ORCID tells no address here, and names only when their owner shows them to everyone.
 */
export default function ORCID<P extends ORCIDProfile = ORCIDProfile>(
  config: ORCIDOptions<P> = {},
): OIDCConfig<NoInfer<P>> {
  const { sandbox, ...options } = config;
  return {
    id: 'orcid',
    name: 'ORCID',
    type: 'oidc',
    issuer: sandbox ? 'https://sandbox.orcid.org' : 'https://orcid.org',
    authorization: { params: { scope: 'openid' } },
    client: { token_endpoint_auth_method: 'client_secret_post' },
    profile: ({ sub, given_name, family_name }) => ({
      id: sub,
      name: [given_name, family_name].filter(Boolean).join(' ') || null,
      email: null,
      image: null,
    }),
    style: { brandColor: '#a6ce39', icon },
    options,
  };
}
