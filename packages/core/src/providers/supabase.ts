import { icon } from '../icons/supabase.ts';
import type { Foreign } from '../types.ts';
import type { OIDCConfig, OIDCUserConfig } from './oauth.ts';

/** The claims of the ID token of a Supabase project that are read here. */
export interface SupabaseProfile {
  sub: string;
  name?: string;
  preferred_username?: string;
  email?: string;
  email_verified?: boolean;
  picture?: string;
  [claim: string]: Foreign;
}

/**
 * Supabase: the users of a project of Supabase's, which is the identity provider here.
 *
 * @see https://supabase.com/docs/guides/auth/oauth-server
 * @see https://supabase.com/docs/guides/auth/oauth-server/getting-started
 * @reviewed 2026-11-21
 * @register In the project's dashboard, "Authentication": turn "OAuth Server" on, sign with an asymmetric key ("JWT Keys"), and add a
 * confidential client with the callback address under "OAuth Apps".
 * @issuer The address of the project's Auth: `https://<project>.supabase.co/auth/v1`.
 * @quirk The project needs a consent page of its own, which Supabase leads the visitor to.
 */
export default function Supabase<P extends SupabaseProfile = SupabaseProfile>(
  options: OIDCUserConfig<P> = {},
): OIDCConfig<NoInfer<P>> {
  return {
    id: 'supabase',
    name: 'Supabase',
    type: 'oidc',
    style: { brandColor: '#3fcf8e', icon },
    options,
  };
}
