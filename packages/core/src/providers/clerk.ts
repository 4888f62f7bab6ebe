import { siClerk as mark } from 'simple-icons';
import { type OIDCConfig, type OIDCUserConfig, type OpenIDProfile, openIDProvider } from './oauth.ts';

/** The claims of Clerk's ID token. */
export interface ClerkProfile extends OpenIDProfile {}

/**
 * Clerk as identity provider, with the users of a Clerk application.
 *
 * @see https://clerk.com/docs/guides/configure/auth-strategies/oauth/how-clerk-implements-oauth
 * @reviewed 2026-11-21
 * @email stated
 * @register At https://dashboard.clerk.com/~/oauth-applications: Add an OAuth application with the callback URL under
 * "Redirect URIs" and the scopes `openid`, `profile` and `email`.
 * @issuer The URL of the Frontend API: `https://<name>.clerk.accounts.dev`, or `https://clerk.<your domain>`.
 */
export default function Clerk<P extends ClerkProfile = ClerkProfile>(
  options: OIDCUserConfig<P> = {},
): OIDCConfig<NoInfer<P>> {
  return openIDProvider('clerk', 'Clerk', options, {
    style: { brandColor: '#6c47ff', icon: mark.path },
  });
}
