import { siMailchimp as mark } from 'simple-icons';
import type { Untyped } from '../types/user.ts';
import type { OAuth2Config, OAuthUserConfig } from './oauth.ts';

/** Members of Mailchimp's metadata of a token that the provider reads. */
export interface MailchimpProfile {
  accountname: string;
  login: { login_id: number; email: string; [claim: string]: Untyped };
  [claim: string]: Untyped;
}

const METADATA = 'https://login.mailchimp.com/oauth2/metadata';

/**
 * Mailchimp.
 *
 * @see https://mailchimp.com/developer/marketing/guides/access-user-data-oauth-2/
 * @reviewed 2026-11-21
 * @email not-stated
 * @register At https://admin.mailchimp.com/account/oauth2/: Register an app with the callback URL as "Redirect URI".
 * Mailchimp accepts `http://127.0.0.1:<port>`, but not `localhost`.
 * @quirk The name belongs to the account, not to the person. Mailchimp has no scopes, and its tokens do not expire.
 */
export default function Mailchimp<P extends MailchimpProfile = MailchimpProfile>(
  options: OAuthUserConfig<P> = {},
): OAuth2Config<NoInfer<P>> {
  return {
    id: 'mailchimp',
    name: 'Mailchimp',
    type: 'oauth',
    authorization: 'https://login.mailchimp.com/oauth2/authorize',
    token: {
      url: 'https://login.mailchimp.com/oauth2/token',
      // `token_type` is missing, and `scope` is null.
      async conform(answer) {
        const { scope: _, ...body } = await answer.json();
        return Response.json({ token_type: 'bearer', ...body }, { status: answer.status });
      },
    },
    userinfo: {
      url: METADATA,
      async request({ tokens, provider }) {
        const answer = await provider.fetch(METADATA, {
          headers: {
            accept: 'application/json',
            authorization: `OAuth ${tokens.access_token}`,
            'user-agent': 'latchkey',
          },
        });
        // Errors also have status 200.
        const told = (await answer.json()) as { error?: unknown };
        if (!answer.ok || told.error)
          throw new Error(`Mailchimp refused to tell the user, with status ${answer.status}`);
        return told;
      },
    },
    client: { token_endpoint_auth_method: 'client_secret_post' },
    numericAccountIds: true,
    profile: ({ accountname, login }) => ({
      id: String(login.login_id),
      name: accountname,
      email: login.email,
      image: null,
    }),
    style: { brandColor: '#ffe01b', icon: mark.path },
    options,
  };
}
