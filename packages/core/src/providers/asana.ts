import { icon } from '../icons/asana.ts';
import type { Foreign } from '../types.ts';
import type { OIDCConfig, OIDCUserConfig } from './oauth.ts';

/** The members of Asana's userinfo that are read here. */
export interface AsanaProfile {
  /** The user's `gid`. */
  sub: string;
  name: string;
  email: string;
  picture?: string | null;
  [claim: string]: Foreign;
}

/**
 * Asana.
 *
 * @see https://developers.asana.com/docs/openid-connect
 * @see https://developers.asana.com/docs/oauth
 * @reviewed 2026-11-21
 * @register At https://app.asana.com/0/my-apps: create an app, and under "OAuth" add the callback address and choose the scopes
 * `openid`, `email` and `profile`.
 */
export default function Asana<P extends AsanaProfile = AsanaProfile>(
  options: OIDCUserConfig<P> = {},
): OIDCConfig<NoInfer<P>> {
  return {
    id: 'asana',
    name: 'Asana',
    type: 'oidc',
    issuer: 'https://app.asana.com/api/1.0',
    // The ID token tells no more than the user's id.
    idToken: false,
    client: { token_endpoint_auth_method: 'client_secret_post' },
    style: { brandColor: '#f06a6a', icon },
    options,
  };
}
