import type { AuthConfig } from '@latchkey/core';
import { CredentialsSignin } from '@latchkey/core/errors';
import type { AppProviders, BuiltInProviders, OAuthConfig, Provider, ProviderId } from '@latchkey/core/providers';
import type { Auth0Profile } from '@latchkey/core/providers/auth0';
import Auth0 from '@latchkey/core/providers/auth0';
import type { CredentialInput } from '@latchkey/core/providers/credentials';
import Credentials from '@latchkey/core/providers/credentials';
import type { EmailConfig } from '@latchkey/core/providers/email';
import Email from '@latchkey/core/providers/email';
import type { GitHubProfile } from '@latchkey/core/providers/github';
import GitHub from '@latchkey/core/providers/github';
import type { GoogleProfile } from '@latchkey/core/providers/google';
import Google from '@latchkey/core/providers/google';
import Nodemailer from '@latchkey/core/providers/nodemailer';
import type { OAuth2Config, OAuthUserConfig, OIDCConfig, OIDCUserConfig } from '@latchkey/core/providers/oauth';
import Passkey from '@latchkey/core/providers/passkey';
import type { WebAuthnConfig } from '@latchkey/core/providers/webauthn';
import WebAuthn from '@latchkey/core/providers/webauthn';
import type { Theme, TokenSet } from '@latchkey/core/types';
import * as simpleWebAuthn from '@simplewebauthn/server';
import { exactly } from './assert.ts';

interface GiteaProfile {
  id: number;
  login: string;
  avatar_url: string;
}

/** Without an index signature, and with members whose types differ from those of the standard claims. */
interface OddProfile {
  name: { first: string };
  picture: { data: { url: string } };
}

// An application's own factories.
function Gitea(options: OAuthUserConfig<GiteaProfile> & { baseUrl: string }): OAuth2Config<GiteaProfile> {
  return {
    id: 'gitea',
    name: 'Gitea',
    type: 'oauth',
    authorization: { url: `${options.baseUrl}/login/oauth/authorize`, params: { scope: 'user', login_hint: 1 } },
    token: {
      url: `${options.baseUrl}/login/oauth/access_token`,
      async request({ params, checks, provider }) {
        params['code'] satisfies string | undefined;
        exactly<string | undefined>()(checks.code_verifier);
        const answer = await provider.fetch(provider.callbackUrl);
        return { tokens: (await answer.json()) as TokenSet };
      },
      conform: async (response) => (response.ok ? undefined : new Response()),
    },
    userinfo: { url: `${options.baseUrl}/api/v1/user`, request: ({ tokens }) => ({ token: tokens.access_token }) },
    profile(profile, tokens) {
      exactly<GiteaProfile>()(profile);
      exactly<TokenSet>()(tokens);
      return { id: String(profile.id), name: profile.login, image: profile.avatar_url };
    },
    account: ({ access_token, expires_at }) => ({ access_token, expires_at }),
    checks: ['pkce', 'state'],
    options,
  };
}

function Odd(options: OIDCUserConfig<OddProfile>): OIDCConfig<OddProfile> {
  return {
    id: 'odd',
    name: 'Odd',
    type: 'oidc',
    issuer: 'https://odd.example',
    checks: ['pkce', 'nonce'],
    idToken: false,
    client: { token_endpoint_auth_method: 'client_secret_post' },
    profile: ({ name, picture }) => ({ id: name.first, image: picture.data.url }),
    options,
  };
}

// Options of factories are typed by the provider.
GitHub({
  clientId: 'x',
  enterprise: { baseUrl: 'https://git.example' },
  profile: (profile) => ({ id: String(exactly<GitHubProfile>()(profile).id), name: profile.login }),
  authorization: { params: { scope: 'repo' } },
  allowDangerousEmailAccountLinking: true,
});
Google({ profile: async (profile) => ({ id: exactly<GoogleProfile>()(profile).sub, domain: profile.hd }) });
// As in Auth.js v5, claims that the type does not name are read without a cast.
Google({
  profile: ({ sub, given_name, role }) => ({ id: sub, name: given_name, role: role?.toUpperCase() ?? 'user' }),
});
Google({ profile: ({ sub, picture, groups }) => ({ id: sub, image: groups?.[0]?.logo ?? picture }) });
Auth0({ issuer: 'https://x.auth0.com', profile: (profile) => ({ id: exactly<Auth0Profile>()(profile).sub }) });
Gitea({ baseUrl: 'https://gitea.example', profile: (profile) => ({ id: profile.id.toFixed() }) });

// A profile may be the application's own, named or written at the parameter. By default it is the provider's.
interface Membership extends GoogleProfile {
  groups: string[];
}
Google<Membership>({
  profile: (profile) => ({ id: profile.sub, name: exactly<string[]>()(profile.groups)[0] ?? null }),
});
export const named: OIDCConfig<Membership> = Google<Membership>();
export const listed: Provider[] = [
  Google({ profile: ({ sub, groups }: Membership) => ({ id: sub, name: exactly<string[]>()(groups)[0] ?? null }) }),
  Google({ profile: (profile) => ({ id: exactly<GoogleProfile>()(profile).sub }) }),
  GitHub<GitHubProfile>,
];
// @ts-expect-error
Google<{ sub: number }>();

// @ts-expect-error
Gitea({});
// @ts-expect-error
Gitea({ baseUrl: 'https://gitea.example', profile: (profile) => ({ id: profile.id }) });
// @ts-expect-error
Google({ checks: ['pkse'] });

// The credentials have the names of the form's fields, and no others.
Credentials({
  name: 'Password',
  credentials: { username: { label: 'Name', autocomplete: 'username' }, password: { type: 'password', minLength: 8 } },
  async authorize(credentials, request) {
    exactly<unknown>()(credentials.password);
    exactly<Request>()(request);
    // @ts-expect-error
    credentials.passwort;
    if (credentials.username !== 'ada') throw new CredentialsSignin();
    return { id: '1', name: 'Ada' };
  },
});
// @ts-expect-error
export const misspelledInput: CredentialInput = { lable: 'Name' };

const server = { host: 'localhost', port: 25 };
Email({ server, from: 'a@b.example' });
Nodemailer({
  server: 'smtp://localhost',
  sendVerificationRequest({ identifier, url, expires, provider, token, theme, request }) {
    exactly<string>()(`${identifier}${url}${token}`);
    exactly<Date>()(expires);
    exactly<EmailConfig>()(provider);
    // Handed on to `createTransport`, which takes no `unknown`.
    provider.server satisfies string;
    exactly<Theme>()(theme);
    exactly<Request>()(request);
  },
});

// Passkeys: the options of the library and the browser, and hooks with their parameters.
Passkey();
Passkey({
  relayingParty: { id: 'shop.example', origin: ['https://shop.example', 'https://shop.test'] },
  registrationOptions: { supportedAlgorithmIDs: [-7], authenticatorSelection: { residentKey: 'preferred' } },
  authenticationOptions: { timeout: 60_000, userVerification: 'preferred' },
  verifyAuthenticationOptions: { requireUserVerification: false },
  simpleWebAuthn: () => import('@simplewebauthn/server'),
  getRelayingParty: ({ url }) => ({ id: url.hostname, name: 'Shop', origin: url.origin }),
  async getUserInfo({ adapter, provider }, { query, method }) {
    exactly<WebAuthnConfig>()(provider);
    exactly<string>()(method);
    const user = await adapter.getUserByEmail?.(`${query['nick']}@shop.example`);
    return user ? { user, exists: true } : { user: { email: 'new@shop.example' }, exists: false };
  },
});
WebAuthn({ simpleWebAuthn: simpleWebAuthn, enableConditionalUI: false });
// @ts-expect-error
Passkey({ authenticationOptions: { userVerification: 'always' } });
// @ts-expect-error
Passkey({ simpleWebAuthn: { verifyAuthenticationResponse: simpleWebAuthn.verifyAuthenticationResponse } });

// Providers of all kinds stand beside each other, objects and factories, without a cast.
export const providers = [
  GitHub,
  GitHub({ clientId: 'x' }),
  Google(),
  Gitea({ baseUrl: 'https://gitea.example' }),
  Odd({}),
  Credentials({}),
  Email({ server }),
  Passkey,
  WebAuthn({ enableConditionalUI: false }),
  () => Odd({}),
] satisfies AppProviders;
export const config: AuthConfig = { providers };
export const wider: Provider[] = providers;

// Written in place, as their documentation has it: the vendor decides what the profile is.
export const inPlace: AuthConfig = {
  providers: [
    {
      id: 'own',
      name: 'Own',
      type: 'oidc',
      issuer: 'https://own.example',
      clientId: process.env['OWN_ID'],
      clientSecret: process.env['OWN_SECRET'],
      profile(profile, tokens) {
        exactly<TokenSet>()(tokens);
        return { id: profile.sub, name: profile.nested.name };
      },
    },
    { id: 'typed', name: 'Typed', type: 'oauth', profile: (profile: OddProfile) => ({ id: profile.name.first }) },
    { id: 'mail', name: 'Mail', type: 'email', sendVerificationRequest: ({ url }) => void exactly<string>()(url) },
    {
      id: 'pin',
      name: 'Pin',
      type: 'credentials',
      credentials: { pin: {} },
      authorize: ({ pin }) => ({ id: `${pin}` }),
    },
  ],
};

export const ids: ProviderId[] = ['github', 'email', 'credentials', 'webauthn', 'own'];
/** How a sign-in page of the application uses its list. */
export const shown = (list: Provider[]): string[] =>
  list.map((provider) => (typeof provider === 'function' ? provider() : provider).name);

export const builtIn: Pick<BuiltInProviders, 'github' | 'credentials' | 'email'> = {
  github: (options: Partial<OAuthConfig<GitHubProfile>>) => ({ ...GitHub(), clientId: options.clientId }),
  credentials: Credentials,
  email: Email,
};
