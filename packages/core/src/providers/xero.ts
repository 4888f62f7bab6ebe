import { icon } from '../icons/xero.ts';
import type { Foreign } from '../types.ts';
import type { OIDCConfig, OIDCUserConfig } from './oauth.ts';

/** The claims of Xero's ID token that are read here. */
export interface XeroProfile {
  sub: string;
  /** The user as Xero's APIs know it. */
  xero_userid: string;
  given_name?: string;
  family_name?: string;
  email: string;
  email_verified?: boolean;
  [claim: string]: Foreign;
}

/**
 * Xero.
 *
 * @see https://developer.xero.com/documentation/guides/oauth2/sign-in
 * @see https://developer.xero.com/documentation/guides/oauth2/auth-flow
 * @reviewed 2026-11-21
 * @register At https://developer.xero.com/app/manage: create a web app with the callback address under "Redirect URIs".
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
    style: { brandColor: '#13b5ea', icon },
    options,
  };
}
