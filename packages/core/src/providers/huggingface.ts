import { siHuggingface as mark } from 'simple-icons';
import { type OIDCConfig, type OIDCUserConfig, type OpenIDProfile, openIDProvider } from './oauth.ts';

/** The claims of Hugging Face's ID token. */
export interface HuggingfaceProfile extends OpenIDProfile {
  name: string;
  preferred_username: string;
  picture: string;
}

/**
 * Hugging Face.
 *
 * @see https://huggingface.co/docs/hub/oauth
 * @reviewed 2026-11-21
 * @email stated
 * @register At https://huggingface.co/settings/applications/new: Create an OAuth app with the callback URL under
 * "Redirect URLs" and the scopes `openid`, `profile` and `email`.
 */
export default function Huggingface<P extends HuggingfaceProfile = HuggingfaceProfile>(
  options: OIDCUserConfig<P> = {},
): OIDCConfig<NoInfer<P>> {
  return openIDProvider('huggingface', 'Hugging Face', options, {
    issuer: 'https://huggingface.co',
    checks: ['state', 'pkce'],
    style: { brandColor: '#ffd21e', icon: mark.path },
  });
}
