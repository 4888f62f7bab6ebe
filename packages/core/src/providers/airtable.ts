import { siAirtable as mark } from 'simple-icons';
import type { Untyped } from '../types/user.ts';
import type { OAuth2Config, OAuthUserConfig } from './oauth.ts';

/** Members of Airtable's user that the provider reads. */
export interface AirtableProfile {
  id: string;
  email?: string;
  [claim: string]: Untyped;
}

/**
 * Airtable.
 *
 * @see https://airtable.com/developers/web/api/oauth-reference
 * @see https://airtable.com/developers/web/api/get-user-id-scopes
 * @reviewed 2026-11-21
 * @email not-stated
 * @register At https://airtable.com/create/oauth: Register an integration with the callback URL under "OAuth redirect URL". Generate a client secret, and choose the scope `user.email:read`.
 * @quirk Airtable provides neither a name nor a picture.
 */
export default function Airtable<P extends AirtableProfile = AirtableProfile>(
  options: OAuthUserConfig<P> = {},
): OAuth2Config<NoInfer<P>> {
  return {
    id: 'airtable',
    name: 'Airtable',
    type: 'oauth',
    authorization: { url: 'https://airtable.com/oauth2/v1/authorize', params: { scope: 'user.email:read' } },
    token: 'https://airtable.com/oauth2/v1/token',
    userinfo: 'https://api.airtable.com/v0/meta/whoami',
    profile: ({ id, email }) => ({ id, name: null, email: email ?? null, image: null }),
    style: { brandColor: '#18bfff', icon: mark.path },
    options,
  };
}
