import type { Foreign } from '../types.ts';
import type { OIDCConfig, OIDCUserConfig } from './oauth.ts';

/** The claims of BankID's userinfo that are read here. */
export interface BankIDNorwayProfile {
  sub: string;
  name: string;
  email?: string;
  [claim: string]: Foreign;
}

/**
 * BankID of Norway.
 *
 * @see https://bidbax.atlassian.net/wiki/spaces/PDOIDCL/overview
 * @see https://bidbax.atlassian.net/wiki/spaces/pdoidclpp/pages/30343711/Userinfo+TINFO+Userinfo+Endpoints
 * @reviewed 2026-11-21
 * @register With BankID or one of its resellers: they make the client, and enter the callback address.
 * @issuer Default: `https://auth.bankid.no/auth/realms/prod`. For tests: `https://auth.current.bankid.no/auth/realms/current`.
 * @quirk The vendor's pages are in Norwegian (`ui_locales: 'no'`) and begin with the kind `BIS` (`login_hint: 'BIS'`), unless
 * `authorization: { params: { … } }` says otherwise.
 * @quirk An address comes only if the contract includes it and the person agrees.
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
    style: { brandColor: '#39134c' },
    options,
  };
}

/**
 * A JWT of the resource server, which has a name and keys of its own: TLS says whose answer it is, and the ID token, whose `sub`
 * it must have, who is meant.
 */
async function unwrapped(response: Response): Promise<Response | undefined> {
  if (!response.ok || !response.headers.get('content-type')?.startsWith('application/jwt')) return undefined;
  const [, payload = ''] = (await response.text()).split('.');
  const bytes = Uint8Array.from(atob(payload.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0));
  return Response.json(JSON.parse(new TextDecoder().decode(bytes)));
}
