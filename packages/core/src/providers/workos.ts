import { AccessDenied } from '../errors.ts';
import type { Foreign } from '../types.ts';
import type { OAuth2Config, OAuthUserConfig } from './oauth.ts';

/** The members of WorkOS' profile that are read here. */
export interface WorkOSProfile {
  id: string;
  connection_id: string;
  organization_id: string | null;
  email: string;
  first_name: string | null;
  last_name: string | null;
  raw_attributes?: { picture?: string; [name: string]: Foreign };
  [claim: string]: Foreign;
}

/** Options of the WorkOS provider. */
export type WorkOSOptions<P extends WorkOSProfile = WorkOSProfile> = OAuthUserConfig<P> & {
  /** Id of the connection that everybody signs in through. Default: none; then a sign-in names one. */
  connection?: string | undefined;
};

/**
 * WorkOS Single Sign-On.
 *
 * @see https://workos.com/docs/reference/sso/get-authorization-url
 * @see https://workos.com/docs/reference/sso/profile
 * @reviewed 2026-11-21
 * @register At https://dashboard.workos.com, "Redirects": add the callback address. `clientId` is the environment's client id,
 * `clientSecret` its API key (`sk_…`).
 * @issuer Address of the API. Default: `https://api.workos.com/`.
 * @option `connection` Id of the connection that everybody signs in through. Without it, `authorization: { params: { organization: 'org_…' } }`
 * or `provider`, or a parameter of the single sign-in, has to say which one it is.
 * @quirk Who comes from another connection or organization than the configured one is refused with `AccessDenied`. Where a single sign-in
 * names it, check `profile.organization_id` in the `signIn` callback.
 * @quirk The address is what the customer's identity provider says: its administrator can write anybody's. Where neither connection nor organization
 * is configured, do not set `allowDangerousEmailAccountLinking`.
 */
export default function WorkOS<P extends WorkOSProfile = WorkOSProfile>(
  config: WorkOSOptions<P> = {},
): OAuth2Config<NoInfer<P>> {
  const { connection, ...options } = config;
  return {
    id: 'workos',
    name: 'WorkOS',
    type: 'oauth',
    issuer: 'https://api.workos.com/',
    authorization: { url: './sso/authorize', params: { connection } },
    token: './sso/token',
    userinfo: './sso/profile',
    client: { token_endpoint_auth_method: 'client_secret_post' },
    conformProfile(profile, { asked }) {
      const fits = (wanted: string | undefined, told: string | null): boolean => !wanted || told === wanted;
      if (fits(asked['connection'], profile.connection_id) && fits(asked['organization'], profile.organization_id)) {
        return profile;
      }
      throw new AccessDenied('the profile is of another connection or organization than the one asked for');
    },
    profile: ({ id, first_name, last_name, email, raw_attributes }) => ({
      id,
      name: [first_name, last_name].filter(Boolean).join(' '),
      email,
      image: raw_attributes?.picture ?? null,
    }),
    style: { brandColor: '#6363f1' },
    options,
  };
}
