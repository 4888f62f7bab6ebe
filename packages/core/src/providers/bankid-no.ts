import type { Untyped } from '../types/user.ts';
import type { OIDCConfig, OIDCUserConfig } from './oauth.ts';

/** Claims of BankID's userinfo that the provider reads. */
export interface BankIDNorwayProfile {
  sub: string;
  name: string;
  email?: string;
  [claim: string]: Untyped;
}

/**
 * BankID of Norway.
 *
 * @see https://bidbax.atlassian.net/wiki/spaces/PDOIDCL/overview
 * @see https://bidbax.atlassian.net/wiki/spaces/pdoidclpp/pages/30343711/Userinfo+TINFO+Userinfo+Endpoints
 * @reviewed 2026-11-21
 * @email none
 * @register Ask BankID or one of its resellers, who create the client and register the callback URL.
 * @issuer Default: `https://auth.bankid.no/auth/realms/prod`. For tests:
 * `https://auth.current.bankid.no/auth/realms/current`.
 * @quirk By default, the vendor's pages are in Norwegian (`ui_locales: 'no'`) and start with the method `BIS`
 * (`login_hint: 'BIS'`). To change that, set `authorization: { params: { … } }`.
 * @quirk BankID provides an email address only if your agreement with BankID includes it and the user consents.
 */
export default function BankIDNorway<P extends BankIDNorwayProfile = BankIDNorwayProfile>(
  options: OIDCUserConfig<P> = {},
): OIDCConfig<NoInfer<P>> {
  return {
    id: 'bankid-no',
    name: 'BankID Norge',
    type: 'oidc',
    issuer: 'https://auth.bankid.no/auth/realms/prod',
    authorization: { params: { ui_locales: 'no', login_hint: 'BIS' } },
    client: { token_endpoint_auth_method: 'client_secret_post' },
    checks: ['pkce', 'state', 'nonce'],
    idToken: false,
    userinfo: { conform: unwrapped },
    profile: ({ sub, name, email }) => ({ id: sub, name, email: email ?? null, image: null }),
    style: { label: 'BankID', brandColor: '#39134c' },
    options,
  };
}

/**
 * Reads the claims of the userinfo JWT without its signature, because the resource server signs with keys of its own.
 * TLS proves the origin of the response, and its `sub` must equal that of the ID token.
 */
async function unwrapped(response: Response): Promise<Response | undefined> {
  if (!response.ok || !response.headers.get('content-type')?.startsWith('application/jwt')) return undefined;
  const [, payload = ''] = (await response.text()).split('.');
  const bytes = Uint8Array.from(atob(payload.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0));
  return Response.json(JSON.parse(new TextDecoder().decode(bytes)));
}
