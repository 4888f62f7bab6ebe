import { siAuthentik as mark } from 'simple-icons';
import { type OIDCConfig, type OIDCUserConfig, type OpenIDProfile, openIDProvider } from './oauth.ts';

/** The claims of authentik's ID token. */
export interface AuthentikProfile extends OpenIDProfile {
  name: string;
  email: string;
  email_verified: boolean;
  preferred_username: string;
}

/**
 * authentik.
 *
 * @see https://docs.goauthentik.io/add-secure-apps/providers/oauth2/
 * @see https://docs.goauthentik.io/add-secure-apps/providers/oauth2/verify-email-address/
 * @reviewed 2026-11-21
 * @email stated
 * @register In the admin interface, "Applications": Create an application with an OAuth2/OpenID provider. Choose the
 * client type "Confidential" and a signing key, and enter the callback URL as strict "Redirect URI".
 * @issuer `https://<host>/application/o/<slug>/`: the application's "OpenID Configuration Issuer", with the final
 * slash.
 * @quirk authentik does not verify addresses, and reports them as unverified since version 2025.10. A scope mapping can
 * set `email_verified: True`. Otherwise, users are created with an unverified address, but never linked by it. If
 * another provider mails links or sets `allowDangerousEmailAccountLinking`, such a sign-in is refused, unless you set
 * `unverifiedEmail: 'allow'`.
 */
export default function Authentik<P extends AuthentikProfile = AuthentikProfile>(
  options: OIDCUserConfig<P> = {},
): OIDCConfig<NoInfer<P>> {
  return openIDProvider('authentik', 'Authentik', options, {
    // `false` is the default of all users. It says that authentik has not checked, not that the address is wrong.
    conformProfile: (profile) => (profile.email_verified ? profile : { ...profile, email_verified: undefined }),
    emailVerification: ({ email_verified }) => (email_verified ? 'claim' : 'never'),
    style: { brandColor: '#fd4b2d', icon: mark.path },
  });
}
