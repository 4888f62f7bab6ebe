import { siDiscord as mark } from 'simple-icons';
import type { Untyped } from '../types/user.ts';
import type { OAuth2Config, OAuthUserConfig } from './oauth.ts';

/** Members of Discord's user that the provider reads. */
export interface DiscordProfile {
  id: string;
  username: string;
  /** `0` if the name has no number. */
  discriminator: string;
  global_name: string | null;
  avatar: string | null;
  email?: string | null;
  /** Whether the address is verified. */
  verified?: boolean;
  /** URL of the avatar, composed of the members above. */
  image_url?: string;
  [claim: string]: Untyped;
}

/**
 * Discord.
 *
 * @see https://discord.com/developers/docs/topics/oauth2
 * @see https://discord.com/developers/docs/resources/user#user-object
 * @reviewed 2026-11-21
 * @email stated
 * @register At https://discord.com/developers/applications: Create an application and add the callback URL under
 * "OAuth2", "Redirects".
 * @quirk Users who signed up with a phone number have no email address.
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
    apis: ['https://discord.com'],
    revocation: 'https://discord.com/api/oauth2/token/revoke',
    // Without a version, Discord answers with a retired version of the API.
    userinfo: 'https://discord.com/api/v10/users/@me',
    conformProfile: (user) => ({ ...user, email_verified: user.verified, image_url: avatarOf(user) }),
    profile: (user) => ({
      id: user.id,
      name: user.global_name ?? user.username,
      email: user.email ?? null,
      image: avatarOf(user),
    }),
    style: { brandColor: '#5865f2', icon: mark.path },
    options,
  };
}

function avatarOf({ id, avatar, discriminator }: DiscordProfile): string {
  const images = 'https://cdn.discordapp.com';
  if (avatar) return `${images}/avatars/${id}/${avatar}.${avatar.startsWith('a_') ? 'gif' : 'png'}`;
  const index = discriminator === '0' ? Number((BigInt(id) >> 22n) % 6n) : Number(discriminator) % 5;
  return `${images}/embed/avatars/${index}.png`;
}
