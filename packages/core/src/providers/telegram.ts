import { icon } from '../icons/telegram.ts';
import type { Foreign } from '../types.ts';
import type { OIDCConfig, OIDCUserConfig } from './oauth.ts';

/** The claims of Telegram's ID token that are read here. */
export interface TelegramProfile {
  sub: string;
  /** The user's number at Telegram, which the Bot API knows. */
  id: number | string;
  name: string;
  preferred_username?: string;
  picture?: string;
  /** With the scope `phone`. */
  phone_number?: string;
  [claim: string]: Foreign;
}

/**
 * Telegram.
 *
 * @see https://core.telegram.org/bots/telegram-login
 * @reviewed 2026-11-21
 * @register With https://t.me/BotFather: make a bot, open "Bot Settings", "Web Login" and add the callback address and your site's
 * origin to the allowed URLs. `clientId` is the bot's number; the secret stands beside it and is not the bot's token.
 * @quirk The id is the claim `sub`. The number by which a bot writes to the user is the claim `id`: the `signIn` callback gets it in
 * `profile`.
 * @quirk Telegram tells no address. `authorization: { params: { scope: 'openid profile phone' } }` asks for the telephone number.
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
    style: { brandColor: '#26a5e4', icon },
    options,
  };
}
