import { icon } from '../icons/auth0.ts';
import type { OIDCConfig, OIDCUserConfig } from './oauth.ts';

/** The claims of Auth0's ID token that are read here. */
export interface Auth0Profile {
  sub: string;
  name: string;
  nickname: string;
  email: string;
  email_verified: boolean;
  picture: string;
  [claim: string]: unknown;
}

/** Auth0. https://auth0.com/docs/get-started/authentication-and-authorization-flow — `issuer` is the tenant's domain with `https://`. */
export default function Auth0(options: OIDCUserConfig<Auth0Profile> = {}): OIDCConfig<Auth0Profile> {
  return {
    id: 'auth0',
    name: 'Auth0',
    type: 'oidc',
    style: { brandColor: '#eb5424', icon },
    options,
  };
}
