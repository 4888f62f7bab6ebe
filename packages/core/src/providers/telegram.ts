import { siTelegram as mark } from 'simple-icons';
import type { Untyped } from '../types/user.ts';
import type { OIDCConfig, OIDCUserConfig } from './oauth.ts';

/** Claims of Telegram's ID token that the provider reads. */
export interface TelegramProfile {
  sub: string;
  /** Id of the user in the Bot API. */
  id: number | string;
  name: string;
  preferred_username?: string;
  picture?: string;
  /** Phone number, with the scope `phone`. */
  phone_number?: string;
  [claim: string]: Untyped;
}

/**
 * Telegram.
 *
 * @see https://core.telegram.org/bots/telegram-login
 * @reviewed 2026-11-21
 * @email none
 * @register With https://t.me/BotFather: Create a bot, open "Bot Settings", "Web Login" and add the callback URL and
 * your site's origin to the allowed URLs. `clientId` is the number of the bot. The client secret is shown beside it; it
 * is not the bot's token.
 * @quirk The id is the claim `sub`. A bot needs the claim `id` to send messages to the user. The `signIn` callback
 * receives it in `profile`.
 * @quirk Telegram does not provide an email address. To ask for the phone number, set `authorization: { params: {
 * scope: 'openid profile phone' } }`.
 */
export default function Telegram<P extends TelegramProfile = TelegramProfile>(
  options: OIDCUserConfig<P> = {},
): OIDCConfig<NoInfer<P>> {
  return {
    id: 'telegram',
    name: 'Telegram',
    type: 'oidc',
    issuer: 'https://oauth.telegram.org',
    authorization: { params: { scope: 'openid profile' } },
    profile: ({ sub, name, preferred_username, picture }) => ({
      id: sub,
      name: name ?? preferred_username ?? null,
      email: null,
      image: picture ?? null,
    }),
    style: { brandColor: '#26a5e4', icon: mark.path },
    options,
  };
}
