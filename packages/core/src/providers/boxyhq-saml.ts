import { AccessDenied } from '../errors.ts';
import type { Untyped } from '../types/user.ts';
import type { OAuth2Config, OAuthUserConfig } from './oauth.ts';

/** Members of Polis' user that the provider reads. */
export interface BoxyHQSAMLProfile {
  id: string;
  email: string;
  firstName?: string;
  lastName?: string;
  /** Parameters of the authorization request. */
  requested?: { tenant?: string; product?: string; client_id?: string };
  [claim: string]: Untyped;
}

/**
 * Ory Polis, formerly BoxyHQ SAML Jackson: SAML identity providers behind OAuth 2.0.
 *
 * @see https://github.com/ory/polis
 * @reviewed 2026-11-21
 * @email depends With a configured tenant, the tenant's identity provider is trusted. Otherwise, the address does
 * not count as verified.
 * @register In the admin portal, "Connections": Create a connection for each tenant and product. Add the callback URL
 * to its allowed redirect URLs. The connection has a client id and a secret.
 * @issuer The origin of Polis: `https://<host>`, without a path.
 * @quirk To restrict sign-in to one tenant and product, set `authorization: { params: { tenant, product } }` or the
 * client id `tenant=…&product=…`. Others are refused with `AccessDenied`. The client id of a connection is not a
 * restriction: a visitor can add another tenant to the URL. If each sign-in names its tenant, check the profile's
 * `requested` in the `signIn` callback.
 * @quirk Addresses and ids come from the tenant's identity provider. Its administrator can enter those of other
 * people. If several tenants sign in and the configuration does not name one, compare the profile's `requested` with
 * the user in the `signIn` callback. Include the tenant in the `id` that `profile` returns. Addresses do not
 * count as verified unless the configuration names a tenant.
 */
export default function SAMLJackson<P extends BoxyHQSAMLProfile = BoxyHQSAMLProfile>(
  options: OAuthUserConfig<P> = {},
): OAuth2Config<NoInfer<P>> {
  return {
    id: 'boxyhq-saml',
    name: 'BoxyHQ SAML',
    type: 'oauth',
    // Polis refuses the scope `openid` if no signing keys are configured.
    authorization: { url: './api/oauth/authorize', params: { provider: 'saml', scope: '' } },
    token: './api/oauth/token',
    userinfo: './api/oauth/userinfo',
    client: { token_endpoint_auth_method: 'client_secret_post' },
    conformProfile(profile, { asked, provider }) {
      // With PKCE, Polis accepts a code that it issued to another client.
      const { requested = {} } = profile;
      const wanted = restrictionsOf(provider.clientId, asked);
      const other = (['tenant', 'product'] as const).some((name) => name in wanted && requested[name] !== wanted[name]);
      if (other) throw new AccessDenied('the user must sign in to the configured tenant and product');
      if ((requested.client_id ?? provider.clientId) !== provider.clientId) {
        throw new AccessDenied('the code was issued to another client');
      }
      return profile;
    },
    emailVerification: (_, { asked, provider }) =>
      restrictionsOf(provider.clientId, asked)['tenant'] ? 'always' : 'never',
    profile: ({ id, email, firstName, lastName }) => ({
      id,
      email,
      name: [firstName, lastName].filter(Boolean).join(' '),
      image: null,
    }),
    style: { brandColor: '#25c2a0' },
    options,
  };
}

/** Returns the tenant and the product to which the configuration restricts sign-ins. */
function restrictionsOf(clientId: string, asked: Readonly<Record<string, string>>): Record<string, string> {
  return { ...Object.fromEntries(new URLSearchParams(clientId)), ...asked };
}
