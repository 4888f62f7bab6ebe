import { siVercel as mark } from 'simple-icons';
import { type OIDCConfig, type OIDCUserConfig, type OpenIDProfile, openIDProvider } from './oauth.ts';

/** The claims of Vercel's ID token. */
export interface VercelProfile extends OpenIDProfile {}

/**
 * Vercel ("Sign in with Vercel").
 *
 * @see https://vercel.com/docs/sign-in-with-vercel
 * @see https://vercel.com/docs/sign-in-with-vercel/authorization-server-api
 * @reviewed 2026-11-21
 * @email stated
 * @register In your team's settings, "Apps": Create an app, add the callback URL to its authorization callback URLs,
 * and give it the permissions `openid`, `email` and `profile`.
 */
export default function Vercel<P extends VercelProfile = VercelProfile>(
  options: OIDCUserConfig<P> = {},
): OIDCConfig<NoInfer<P>> {
  return openIDProvider('vercel', 'Vercel', options, {
    issuer: 'https://vercel.com',
    style: { brandColor: '#000000', icon: mark.path },
  });
}
