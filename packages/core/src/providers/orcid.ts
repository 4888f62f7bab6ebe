import { siOrcid as mark } from 'simple-icons';
import type { Untyped } from '../types/user.ts';
import type { OIDCConfig, OIDCUserConfig } from './oauth.ts';

/** Claims of ORCID's ID token that the provider reads. */
export interface ORCIDProfile {
  /** The ORCID iD, `0000-0002-…`. */
  sub: string;
  /** Absent if it is not public. */
  given_name?: string | null;
  family_name?: string | null;
  [claim: string]: Untyped;
}

/** Options of the ORCID provider. */
export type ORCIDOptions<P extends ORCIDProfile = ORCIDProfile> = OIDCUserConfig<P> & {
  /** `true`: use ORCID's sandbox, which has separate clients and accounts. Default: `false`. */
  sandbox?: boolean | undefined;
};

/**
 * ORCID.
 *
 * @see https://info.orcid.org/documentation/api-tutorials/api-tutorial-get-and-authenticated-orcid-id/
 * @see https://github.com/ORCID/ORCID-Source/blob/main/orcid-web/ORCID_AUTH_WITH_OPENID_CONNECT.md
 * @reviewed 2026-11-21
 * @email none
 * @register At https://orcid.org/developer-tools: Register for the public API with the callback URL as "Redirect URI".
 * ORCID accepts only https. Its sandbox also accepts http://127.0.0.1.
 * @option `sandbox` `true`: use ORCID's sandbox, which has separate clients and accounts. Default: `false`.
 * @quirk ORCID does not provide an email address. It provides a name only if the user has made it public.
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
    style: { brandColor: '#a6ce39', icon: mark.path },
    options,
  };
}
