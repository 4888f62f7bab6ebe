import { siMaildotru as mark } from 'simple-icons';
import type { Untyped } from '../types/user.ts';
import type { OAuth2Config, OAuthUserConfig } from './oauth.ts';

/** Members of Mail.ru's user that the provider reads. */
export interface MailruProfile {
  id: string;
  name?: string;
  nickname?: string;
  email?: string;
  image?: string;
  [claim: string]: Untyped;
}

/**
 * Mail.ru.
 *
 * @see https://id.vk.ru/about/business/go/docs/ru/vkid/latest/oauth/oauth-mail/index
 * @reviewed 2026-11-21
 * @email not-stated
 * @register At https://oauth.mail.ru/app/: Create an app with the callback URL as "Redirect URI".
 * @quirk Since July 2025, new apps cannot be created for sign-in; Mail.ru refers to VK ID. Existing apps still work.
 */
export default function Mailru<P extends MailruProfile = MailruProfile>(
  options: OAuthUserConfig<P> = {},
): OAuth2Config<NoInfer<P>> {
  return {
    id: 'mailru',
    name: 'Mail.ru',
    type: 'oauth',
    authorization: { url: 'https://oauth.mail.ru/login', params: { scope: 'userinfo' } },
    token: 'https://oauth.mail.ru/token',
    userinfo: {
      url: 'https://oauth.mail.ru/userinfo',
      // Mail.ru reads the token from the URL only, not from a header.
      async request({ tokens, provider }) {
        const query = new URLSearchParams({ access_token: tokens.access_token ?? '' });
        const answer = await provider.fetch(`https://oauth.mail.ru/userinfo?${query}`, {
          headers: { accept: 'application/json', 'user-agent': 'latchkey' },
        });
        // Errors also have status 200.
        const told = (await answer.json()) as { error?: unknown };
        if (!answer.ok || told.error) throw new Error(`Mail.ru refused to tell the user, with status ${answer.status}`);
        return told;
      },
    },
    profile: ({ id, name, nickname, email, image }) => ({
      id,
      name: name ?? nickname ?? null,
      email: email ?? null,
      image: image ?? null,
    }),
    style: { brandColor: '#005ff9', icon: mark.path },
    options,
  };
}
