import { icon } from '../icons/apple.ts';
import type { Foreign } from '../types.ts';
import type { OIDCConfig, OIDCUserConfig } from './oauth.ts';

/** The claims of Apple's ID token that are read here. */
export interface AppleProfile {
  sub: string;
  email?: string;
  email_verified?: boolean | 'true' | 'false';
  is_private_email?: boolean | 'true' | 'false';
  /** At the first consent only, and through the visitor's browser: a name to greet by, and no proof of anything. */
  user?: { name: { firstName?: string; lastName?: string } } | undefined;
  [claim: string]: Foreign;
}

/**
 * Sign in with Apple.
 *
 * @see https://developer.apple.com/documentation/signinwithapple/incorporating-sign-in-with-apple-into-other-platforms
 * @see https://developer.apple.com/documentation/accountorganizationaldatasharing/creating-a-client-secret
 * @reviewed 2026-11-21
 * @register At https://developer.apple.com/account/resources/identifiers (a paid membership is needed): make an App ID with "Sign
 * in with Apple", then a Services ID, whose identifier is the `clientId`, and enter domain and callback address ("Return
 * URLs") there. Apple takes neither http nor localhost.
 * @quirk The client secret is a JWT that you sign (ES256) with the key from "Keys"; it is valid for six months at most, so it has
 * to be made anew in time.
 * @quirk The name comes with the first consent only. Without it, the address stands for it; that may be one of Apple's relay,
 * which only registered senders can write to.
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
    conformProfile: (profile, { params }) => ({ ...profile, user: namedIn(params['user']) }),
    profile: ({ sub, user, email }) => ({
      id: sub,
      name: [user?.name.firstName, user?.name.lastName].filter(Boolean).join(' ') || email,
      email,
      image: null,
    }),
    style: { brandColor: '#000000', icon },
    options,
  };
}

/** Only the name: the address beside it could be anybody's. */
function namedIn(posted: string | undefined): AppleProfile['user'] {
  try {
    const { firstName, lastName } = JSON.parse(posted ?? '').name;
    return { name: { firstName: String(firstName ?? ''), lastName: String(lastName ?? '') } };
  } catch {
    return undefined;
  }
}
