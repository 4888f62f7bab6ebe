import { AccessDenied } from '../errors.ts';
import type { Untyped } from '../types/user.ts';
import type { OAuth2Config, OAuthUserConfig } from './oauth.ts';

/** Members of WorkOS' profile that the provider reads. */
export interface WorkOSProfile {
  id: string;
  connection_id: string;
  organization_id: string | null;
  email: string;
  first_name: string | null;
  last_name: string | null;
  raw_attributes?: { picture?: string; [name: string]: Untyped };
  [claim: string]: Untyped;
}

/** Options of the WorkOS provider. */
export type WorkOSOptions<P extends WorkOSProfile = WorkOSProfile> = OAuthUserConfig<P> & {
  /** Id of the connection for all sign-ins. Default: the parameters of the sign-in choose one. */
  connection?: string | undefined;
};

/**
 * WorkOS Single Sign-On.
 *
 * @see https://workos.com/docs/reference/sso/get-authorization-url
 * @see https://workos.com/docs/reference/sso/profile
 * @reviewed 2026-11-21
 * @email depends https://workos.com/docs/sso/domains 2026-11-23 With a configured connection or organization, WorkOS
 * compares the domain of the address with the domains of the organization.
 * @register At https://dashboard.workos.com, "Redirects": Add the callback URL. `clientId` is the environment's client
 * id, and `clientSecret` is its API key (`sk_…`).
 * @issuer URL of the API. Default: `https://api.workos.com/`.
 * @option `connection` Id of the connection for all sign-ins. Without it, set `authorization: { params: {
 * organization: 'org_…' } }` or `provider`, or pass the parameter with each sign-in.
 * @quirk Users of connections or organizations that are not configured are refused with `AccessDenied`. If the
 * parameter is passed with each sign-in, check `profile.organization_id` in the `signIn` callback.
 * @quirk The address comes from the customer's identity provider. Its administrator can enter any address. If neither
 * connection nor organization is configured, the address does not count as verified. A connection or an organization
 * that is passed with each sign-in is not configured.
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
      throw new AccessDenied('the profile must belong to the configured connection and organization');
    },
    emailVerification: (_, { asked }) => (asked['connection'] || asked['organization'] ? 'always' : 'never'),
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
