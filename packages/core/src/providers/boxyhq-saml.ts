import { AccessDenied } from '../errors.ts';
import type { Foreign } from '../types.ts';
import type { OAuth2Config, OAuthUserConfig } from './oauth.ts';

/** The members of Polis' user that are read here. */
export interface BoxyHQSAMLProfile {
  id: string;
  email: string;
  firstName?: string;
  lastName?: string;
  /** What the authorization request asked for. */
  requested?: { tenant?: string; product?: string; client_id?: string };
  [claim: string]: Foreign;
}

/**
 * Ory Polis, formerly SAML Jackson of BoxyHQ: SAML identity providers by way of OAuth 2.
 *
 * @see https://github.com/ory/polis
 * @reviewed 2026-11-21
 * @register In the admin portal, "Connections": create one for each tenant and product, with the callback address among its allowed
 * redirect URLs. It has a client id and a secret.
 * @issuer Where Polis is: `https://<host>`, without a path.
 * @quirk Only a `tenant` and `product` that you name limit who gets in, in `authorization: { params: { tenant, product } }` or as client
 * id (`tenant=…&product=…`): others are refused with `AccessDenied`. The client id of a connection is no limit, since a visitor can
 * add another tenant to the address. Where each sign-in names its own, look at the profile's `requested` in the `signIn` callback.
 * @quirk Addresses and ids are what the tenant's identity provider says, so its administrator can write those of others. Where several tenants sign
 * in without one being configured, compare the profile's `requested` with the user in the `signIn` callback, put the tenant into the id
 * (`profile`), and do not set `allowDangerousEmailAccountLinking`.
 */
export default function SAMLJackson<P extends BoxyHQSAMLProfile = BoxyHQSAMLProfile>(
  options: OAuthUserConfig<P> = {},
): OAuth2Config<NoInfer<P>> {
  return {
    id: 'boxyhq-saml',
    name: 'BoxyHQ SAML',
    type: 'oauth',
    // The scope `openid` is refused where no signing keys are configured.
    authorization: { url: './api/oauth/authorize', params: { provider: 'saml', scope: '' } },
    token: './api/oauth/token',
    userinfo: './api/oauth/userinfo',
    client: { token_endpoint_auth_method: 'client_secret_post' },
    conformProfile(profile, { asked, provider }) {
      // With PKCE, Polis gives tokens for a code of any client.
      const { requested = {} } = profile;
      const wanted: Record<string, string> = {
        ...Object.fromEntries(new URLSearchParams(provider.clientId)),
        ...asked,
      };
      const other = (['tenant', 'product'] as const).some((name) => name in wanted && requested[name] !== wanted[name]);
      if (other) throw new AccessDenied('the user signed in to another tenant or product than the one asked for');
      if ((requested.client_id ?? provider.clientId) !== provider.clientId) {
        throw new AccessDenied('the user signed in for another client');
      }
      return profile;
    },
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
