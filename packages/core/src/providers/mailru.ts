import { icon } from '../icons/mailru.ts';
import type { Foreign } from '../types.ts';
import type { OAuth2Config, OAuthUserConfig } from './oauth.ts';

/** The members of Mail.ru's user that are read here. */
export interface MailruProfile {
  id: string;
  name?: string;
  nickname?: string;
  email?: string;
  image?: string;
  [claim: string]: Foreign;
}

/**
 * Mail.ru.
 *
 * @see https://id.vk.ru/about/business/go/docs/ru/vkid/latest/oauth/oauth-mail/index
 * @reviewed 2026-11-21
 * @register At https://oauth.mail.ru/app/: create an app with the callback address as "Redirect URI".
 * @quirk Since July 2025, Mail.ru makes no new apps for signing in, and refers to VK ID; earlier ones go on working.
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
      // The token goes into the address; no header is read.
      async request({ tokens, provider }) {
        const query = new URLSearchParams({ access_token: tokens.access_token ?? '' });
        const answer = await provider.fetch(`https://oauth.mail.ru/userinfo?${query}`, {
          headers: { accept: 'application/json', 'user-agent': 'latchkey' },
        });
        // A refusal comes with status 200, too.
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
    style: { brandColor: '#005ff9', icon },
    options,
  };
}
