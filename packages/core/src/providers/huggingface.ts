import { icon } from '../icons/huggingface.ts';
import type { Foreign } from '../types.ts';
import type { OIDCConfig, OIDCUserConfig } from './oauth.ts';

/** The claims of Hugging Face's ID token that are read here. */
export interface HuggingfaceProfile {
  sub: string;
  name: string;
  preferred_username: string;
  email?: string;
  email_verified?: boolean;
  picture: string;
  [claim: string]: Foreign;
}

/**
 * Hugging Face.
 *
 * @see https://huggingface.co/docs/hub/oauth
 * @reviewed 2026-11-21
 * @register At https://huggingface.co/settings/applications/new: create an OAuth app with the callback address under "Redirect
 * URLs" and the scopes `openid`, `profile` and `email`.
 */
export default function Huggingface<P extends HuggingfaceProfile = HuggingfaceProfile>(
  options: OIDCUserConfig<P> = {},
): OIDCConfig<NoInfer<P>> {
  return {
    id: 'huggingface',
    name: 'Hugging Face',
    type: 'oidc',
    issuer: 'https://huggingface.co',
    checks: ['state', 'pkce'],
    style: { brandColor: '#ffd21e', icon },
    options,
  };
}
