import { icon } from '../icons/airtable.ts';
import type { Foreign } from '../types.ts';
import type { OAuth2Config, OAuthUserConfig } from './oauth.ts';

/** The members of Airtable's user that are read here. */
export interface AirtableProfile {
  id: string;
  email?: string;
  [claim: string]: Foreign;
}

/**
 * Airtable.
 *
 * @see https://airtable.com/developers/web/api/oauth-reference
 * @see https://airtable.com/developers/web/api/get-user-id-scopes
 * @reviewed 2026-11-21
 * @register At https://airtable.com/create/oauth: register an integration with the callback address under "OAuth redirect URL",
 * generate a client secret, and choose the scope `user.email:read`.
 * @quirk Airtable tells neither name nor picture.
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
    style: { brandColor: '#18bfff', icon },
    options,
  };
}
