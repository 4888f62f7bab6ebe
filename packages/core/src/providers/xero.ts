import { siXero as mark } from 'simple-icons';
import type { Untyped } from '../types/user.ts';
import type { OIDCConfig, OIDCUserConfig } from './oauth.ts';

/** Claims of Xero's ID token that the provider reads. */
export interface XeroProfile {
  sub: string;
  /** Id of the user in Xero's APIs. */
  xero_userid: string;
  given_name?: string;
  family_name?: string;
  email: string;
  email_verified?: boolean;
  [claim: string]: Untyped;
}

/**
 * Xero.
 *
 * @see https://developer.xero.com/documentation/guides/oauth2/sign-in
 * @see https://developer.xero.com/documentation/guides/oauth2/auth-flow
 * @reviewed 2026-11-21
 * @email not-stated
 * @register At https://developer.xero.com/app/manage: Create a web app with the callback URL under "Redirect URIs".
 */
export default function Xero<P extends XeroProfile = XeroProfile>(
  options: OIDCUserConfig<P> = {},
): OIDCConfig<NoInfer<P>> {
  return {
    id: 'xero',
    name: 'Xero',
    type: 'oidc',
    issuer: 'https://identity.xero.com',
    profile: ({ sub, given_name, family_name, email }) => ({
      id: sub,
      name: [given_name, family_name].filter(Boolean).join(' ') || null,
      email: email ?? null,
      image: null,
    }),
    style: { brandColor: '#13b5ea', icon: mark.path },
    options,
  };
}
