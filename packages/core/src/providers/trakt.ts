import { siTrakt as mark } from 'simple-icons';
import type { Untyped } from '../types/user.ts';
import type { OAuth2Config, OAuthUserConfig } from './oauth.ts';

/** Members of Trakt's user that the provider reads. */
export interface TraktUser {
  ids: { slug: string; uuid?: string };
  name: string | null;
  images?: { avatar?: { full?: string | null } };
  [claim: string]: Untyped;
}

/** The same type, with a name like those of the other providers. */
export type TraktProfile = TraktUser;

const API = 'https://api.trakt.tv';

/**
 * Trakt.
 *
 * @see https://developer.trakt.tv/docs/authentication-oauth
 * @see https://developer.trakt.tv/docs/pkce
 * @see https://developer.trakt.tv/docs/required-headers
 * @reviewed 2026-11-21
 * @email none
 * @register At https://app.trakt.tv/settings/apps/api/new: Create an API app with the callback URL as "Redirect uri".
 * @quirk With PKCE, Trakt does not accept a client secret, so none is sent.
 * @quirk The id is the user's slug, which changes with the user name. If another person takes over the user name, the
 * sign-in is refused with `AccountReassigned`, because that person has another `ids.uuid`. This needs an adapter
 * with `getAccount`.
 * @quirk Trakt does not provide an email address.
 */
export default function Trakt<P extends TraktUser = TraktUser>(
  options: OAuthUserConfig<P> = {},
): OAuth2Config<NoInfer<P>> {
  return {
    id: 'trakt',
    name: 'Trakt',
    type: 'oauth',
    authorization: { url: 'https://auth.trakt.tv/oauth/authorize', params: { scope: '' } },
    token: {
      url: `${API}/oauth/token`,
      async request({ provider, params, checks: { code_verifier } }) {
        const { redirectUri = provider.callbackUrl } = provider;
        const body = {
          grant_type: 'authorization_code',
          code: params['code'],
          client_id: provider.clientId,
          redirect_uri: redirectUri,
          ...(code_verifier ? { code_verifier } : { client_secret: provider.clientSecret }),
        };
        const headers = headersFor(provider.clientId);
        const answer = await provider.fetch(`${API}/oauth/token`, {
          method: 'POST',
          headers,
          body: JSON.stringify(body),
        });
        if (!answer.ok) throw new Error(`Trakt answered ${answer.status} for the tokens`);
        return { tokens: await answer.json() };
      },
    },
    userinfo: {
      async request({ tokens, provider }) {
        const headers = { ...headersFor(provider.clientId), authorization: `Bearer ${tokens.access_token}` };
        const answer = await provider.fetch(`${API}/users/me?extended=full`, { headers });
        if (!answer.ok) throw new Error(`Trakt answered ${answer.status} for the user`);
        return answer.json();
      },
    },
    stableId: ({ ids }) => ids.uuid,
    profile: ({ ids, name, images }) => ({
      id: ids.slug,
      name: name ?? null,
      email: null,
      image: images?.avatar?.full ?? null,
    }),
    style: { brandColor: '#ed2224', icon: mark.path },
    options,
  };
}

function headersFor(clientId: string): Record<string, string> {
  return {
    accept: 'application/json',
    'content-type': 'application/json',
    'trakt-api-key': clientId,
    'trakt-api-version': '2',
    'user-agent': 'latchkey',
  };
}
