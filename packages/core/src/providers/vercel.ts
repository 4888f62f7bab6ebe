import { icon } from '../icons/vercel.ts';
import type { Foreign } from '../types.ts';
import type { OIDCConfig, OIDCUserConfig } from './oauth.ts';

/** The claims of Vercel's ID token that are read here. */
export interface VercelProfile {
  sub: string;
  name?: string;
  preferred_username?: string;
  email?: string;
  email_verified?: boolean;
  picture?: string;
  [claim: string]: Foreign;
}

/**
 * Vercel ("Sign in with Vercel").
 *
 * @see https://vercel.com/docs/sign-in-with-vercel
 * @see https://vercel.com/docs/sign-in-with-vercel/authorization-server-api
 * @reviewed 2026-11-21
 * @register In your team's settings, "Apps": create an app, add the callback address to its authorization callback URLs, and allow it
 * the permissions `openid`, `email` and `profile`.
 */
export default function Vercel<P extends VercelProfile = VercelProfile>(
  options: OIDCUserConfig<P> = {},
): OIDCConfig<NoInfer<P>> {
  return {
    id: 'vercel',
    name: 'Vercel',
    type: 'oidc',
    issuer: 'https://vercel.com',
    style: { brandColor: '#000000', icon },
    options,
  };
}
