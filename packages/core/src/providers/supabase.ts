import { siSupabase as mark } from 'simple-icons';
import { type OIDCConfig, type OIDCUserConfig, type OpenIDProfile, openIDProvider } from './oauth.ts';

/** The claims of the ID token of a Supabase project. */
export interface SupabaseProfile extends OpenIDProfile {}

/**
 * Supabase as identity provider, with the users of a Supabase project.
 *
 * @see https://supabase.com/docs/guides/auth/oauth-server
 * @see https://supabase.com/docs/guides/auth/oauth-server/getting-started
 * @reviewed 2026-11-21
 * @email stated
 * @register In the project's dashboard, "Authentication": Turn "OAuth Server" on, choose an asymmetric signing key
 * ("JWT Keys"), and add a confidential client with the callback URL under "OAuth Apps".
 * @issuer The URL of the project's Auth API: `https://<project>.supabase.co/auth/v1`.
 * @quirk The project needs its own consent page, to which Supabase redirects the visitor.
 */
export default function Supabase<P extends SupabaseProfile = SupabaseProfile>(
  options: OIDCUserConfig<P> = {},
): OIDCConfig<NoInfer<P>> {
  return openIDProvider('supabase', 'Supabase', options, {
    style: { brandColor: '#3fcf8e', icon: mark.path },
  });
}
