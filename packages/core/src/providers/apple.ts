import { siApple as mark } from 'simple-icons';
import type { Untyped } from '../types/user.ts';
import type { OIDCConfig, OIDCUserConfig } from './oauth.ts';

/** Claims of Apple's ID token that the provider reads. */
export interface AppleProfile {
  sub: string;
  email?: string;
  email_verified?: boolean | 'true' | 'false';
  is_private_email?: boolean | 'true' | 'false';
  /** Sent with the first consent only, by the browser. It is not trusted: use it as a display name only. */
  user?: { name: { firstName?: string; lastName?: string } } | undefined;
  [claim: string]: Untyped;
}

/**
 * Sign in with Apple.
 *
 * @see https://developer.apple.com/documentation/signinwithapple/incorporating-sign-in-with-apple-into-other-platforms
 * @see https://developer.apple.com/documentation/accountorganizationaldatasharing/creating-a-client-secret
 * @reviewed 2026-11-21
 * @email stated
 * @register At https://developer.apple.com/account/resources/identifiers (requires a paid membership): Create an App ID
 * with "Sign in with Apple", then a Services ID. Enter the domain and the callback URL ("Return URLs") in the Services
 * ID. Its identifier is the `clientId`. Apple accepts neither http nor localhost.
 * @quirk The client secret is a JWT that you sign (ES256) with the key from "Keys". It is valid for at most six months:
 * create a new one before it expires.
 * @quirk Apple sends the name with the first consent only. Later, the address is used as the name. The address may be
 * one of Apple's relay, which only accepts mail from registered senders.
 */
export default function Apple<P extends AppleProfile = AppleProfile>(
  options: OIDCUserConfig<P> = {},
): OIDCConfig<NoInfer<P>> {
  return {
    id: 'apple',
    name: 'Apple',
    type: 'oidc',
    issuer: 'https://appleid.apple.com',
    authorization: { params: { scope: 'name email', response_mode: 'form_post' } },
    client: { token_endpoint_auth_method: 'client_secret_post' },
    checks: ['nonce', 'state'],
    offlineAccess: {},
    revocation: 'https://appleid.apple.com/auth/revoke',
    conformProfile: (profile, { params }) => ({ ...profile, user: namedIn(params['user']) }),
    profile: ({ sub, user, email }) => ({
      id: sub,
      name: [user?.name.firstName, user?.name.lastName].filter(Boolean).join(' ') || email,
      email,
      image: null,
    }),
    style: { brandColor: '#000000', icon: mark.path },
    options,
  };
}

/** Returns the name only. The browser could have changed the address beside it. */
function namedIn(posted: string | undefined): AppleProfile['user'] {
  try {
    const { firstName, lastName } = JSON.parse(posted ?? '').name;
    return { name: { firstName: String(firstName ?? ''), lastName: String(lastName ?? '') } };
  } catch {
    return undefined;
  }
}
