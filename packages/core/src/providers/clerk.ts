import { icon } from '../icons/clerk.ts';
import type { Foreign } from '../types.ts';
import type { OIDCConfig, OIDCUserConfig } from './oauth.ts';

/** The claims of Clerk's ID token that are read here. */
export interface ClerkProfile {
  sub: string;
  name?: string;
  preferred_username?: string;
  email?: string;
  email_verified?: boolean;
  picture?: string;
  [claim: string]: Foreign;
}

/**
 * Clerk: the users of an application of Clerk's, which is the identity provider here.
 *
 * @see https://clerk.com/docs/guides/configure/auth-strategies/oauth/how-clerk-implements-oauth
 * @reviewed 2026-11-21
 * @register At https://dashboard.clerk.com/~/oauth-applications: add an OAuth application with the callback address under "Redirect
 * URIs" and the scopes `openid`, `profile` and `email`.
 * @issuer The address of its Frontend API: `https://<name>.clerk.accounts.dev`, or `https://clerk.<your domain>`.
 */
export default function Clerk<P extends ClerkProfile = ClerkProfile>(
  options: OIDCUserConfig<P> = {},
): OIDCConfig<NoInfer<P>> {
  return {
    id: 'clerk',
    name: 'Clerk',
    type: 'oidc',
    style: { brandColor: '#6c47ff', icon },
    options,
  };
}
