import { siAsana as mark } from 'simple-icons';
import type { Untyped } from '../types/user.ts';
import { type OIDCConfig, type OIDCUserConfig, openIDProvider } from './oauth.ts';

/** The members of Asana's userinfo; `sub` is the user's `gid`. */
export interface AsanaProfile {
  sub: string;
  name: string;
  email: string;
  picture?: string | null;
  [claim: string]: Untyped;
}

/**
 * Asana.
 *
 * @see https://developers.asana.com/docs/openid-connect
 * @see https://developers.asana.com/docs/oauth
 * @reviewed 2026-11-21
 * @email not-stated
 * @register At https://app.asana.com/0/my-apps: Create an app, and under "OAuth" add the callback URL and choose the
 * scopes `openid`, `email` and `profile`.
 */
export default function Asana<P extends AsanaProfile = AsanaProfile>(
  options: OIDCUserConfig<P> = {},
): OIDCConfig<NoInfer<P>> {
  return openIDProvider('asana', 'Asana', options, {
    issuer: 'https://app.asana.com/api/1.0',
    // The ID token contains only the user's id.
    idToken: false,
    client: { token_endpoint_auth_method: 'client_secret_post' },
    style: { brandColor: '#f06a6a', icon: mark.path },
  });
}
