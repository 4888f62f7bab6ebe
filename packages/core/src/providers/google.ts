import { icon } from '../icons/google.ts';
import type { OIDCConfig, OIDCUserConfig } from './oauth.ts';

/** The claims of Google's ID token that are read here. */
export interface GoogleProfile {
  sub: string;
  name: string;
  email: string;
  email_verified: boolean;
  picture: string;
  /** Domain of the Workspace organisation. */
  hd?: string;
  [claim: string]: unknown;
}

/** Google. https://developers.google.com/identity/openid-connect/openid-connect */
export default function Google(options: OIDCUserConfig<GoogleProfile> = {}): OIDCConfig<GoogleProfile> {
  return {
    id: 'google',
    name: 'Google',
    type: 'oidc',
    issuer: 'https://accounts.google.com',
    style: { brandColor: '#1a73e8', icon },
    options,
  };
}
