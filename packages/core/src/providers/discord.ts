import { icon } from '../icons/discord.ts';
import type { Foreign } from '../types.ts';
import type { OAuth2Config, OAuthUserConfig } from './oauth.ts';

/** The members of Discord's user that are read here. */
export interface DiscordProfile {
  id: string;
  username: string;
  /** `0` for everybody who has a name without a number. */
  discriminator: string;
  global_name: string | null;
  avatar: string | null;
  email?: string | null;
  /** Has the address been verified? */
  verified?: boolean;
  /** Address of the avatar, made of the members above. */
  image_url?: string;
  [claim: string]: Foreign;
}

/**
 * Discord.
 *
 * @see https://discord.com/developers/docs/topics/oauth2
 * @see https://discord.com/developers/docs/resources/user#user-object
 * @reviewed 2026-11-21
 * @register At https://discord.com/developers/applications: create an application and add the callback address under "OAuth2",
 * "Redirects".
 * @quirk Whoever signed up with a telephone has no address.
 */
export default function Discord<P extends DiscordProfile = DiscordProfile>(
  options: OAuthUserConfig<P> = {},
): OAuth2Config<NoInfer<P>> {
  return {
    id: 'discord',
    name: 'Discord',
    type: 'oauth',
    authorization: { url: 'https://discord.com/oauth2/authorize', params: { scope: 'identify email' } },
    token: 'https://discord.com/api/oauth2/token',
    // Without a version, the API is one that has been retired.
    userinfo: 'https://discord.com/api/v10/users/@me',
    conformProfile: (user) => ({ ...user, email_verified: user.verified, image_url: avatarOf(user) }),
    profile: (user) => ({
      id: user.id,
      name: user.global_name ?? user.username,
      email: user.email ?? null,
      image: avatarOf(user),
    }),
    style: { brandColor: '#5865f2', icon },
    options,
  };
}

function avatarOf({ id, avatar, discriminator }: DiscordProfile): string {
  const images = 'https://cdn.discordapp.com';
  if (avatar) return `${images}/avatars/${id}/${avatar}.${avatar.startsWith('a_') ? 'gif' : 'png'}`;
  const index = discriminator === '0' ? Number((BigInt(id) >> 22n) % 6n) : Number(discriminator) % 5;
  return `${images}/embed/avatars/${index}.png`;
}
