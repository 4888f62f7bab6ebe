import { isRecord, type Plain } from '../plain-object.ts';
import type { CredentialsConfig } from '../providers/credentials.ts';
import type { OAuth2Config, OIDCConfig } from '../providers/oauth.ts';
import type { WebAuthnConfig } from '../providers/webauthn.ts';
import type { AuthConfig } from '../types/config.ts';
import type { EmailConfig } from '../types/provider.ts';
import type { Profile } from '../types/user.ts';
import { providerEntries } from './settings.ts';
import { similarTo, type UnknownOption } from './similar-name.ts';

/** Each name of a type, so that the compiler finds a name that is missing here. */
type NamesOf<T> = { readonly [Name in Extract<keyof T, string>]-?: true };

const COMMON = { id: true, name: true, type: true, options: true } as const;

const OAUTH = {
  ...COMMON,
  issuer: true,
  wellKnown: true,
  authorization: true,
  token: true,
  userinfo: true,
  jwks_endpoint: true,
  checks: true,
  clientId: true,
  clientSecret: true,
  client: true,
  profile: true,
  conformProfile: true,
  account: true,
  allowDangerousEmailAccountLinking: true,
  unverifiedEmail: true,
  emailVerification: true,
  numericAccountIds: true,
  stableId: true,
  redirectProxyUrl: true,
  style: true,
  offline: true,
  offlineAccess: true,
  apis: true,
  revocation: true,
  refresh: true,
  scopes: true,
  idToken: true,
  tokenIssuer: true,
} satisfies NamesOf<OAuth2Config<Profile> & OIDCConfig<Profile>>;

const EMAIL = {
  ...COMMON,
  server: true,
  from: true,
  maxAge: true,
  code: true,
  secret: true,
  apiKey: true,
  sendVerificationRequest: true,
  sendMail: true,
  generateVerificationToken: true,
  normalizeIdentifier: true,
  confirm: true,
} satisfies NamesOf<EmailConfig>;

const WEBAUTHN = {
  ...COMMON,
  relayingParty: true,
  getRelayingParty: true,
  enableConditionalUI: true,
  formFields: true,
  simpleWebAuthnBrowserVersion: true,
  authenticationOptions: true,
  registrationOptions: true,
  verifyAuthenticationOptions: true,
  verifyRegistrationOptions: true,
  getUserInfo: true,
  unverifiedEmail: true,
  simpleWebAuthn: true,
} satisfies NamesOf<WebAuthnConfig>;

const NAMES: Readonly<Record<string, object>> = {
  oauth: OAUTH,
  oidc: OAUTH,
  email: EMAIL,
  credentials: { ...COMMON, credentials: true, authorize: true } satisfies NamesOf<CredentialsConfig>,
  webauthn: WEBAUTHN,
};

/** Options of single vendors whose names resemble those of others. */
const OWN: ReadonlySet<string> = new Set(['scope']);

/**
 * Lists the options of providers whose names resemble that of an option. Other unknown names are allowed, because
 * providers of other projects have options of their own.
 */
export function misspelledProviderOptions(config: Pick<AuthConfig, 'providers'>): UnknownOption[] {
  return providerEntries(config).flatMap((entry, index) => {
    const { type, given } = optionsOf(entry);
    const names = typeof type === 'string' && Object.hasOwn(NAMES, type) ? Object.keys(NAMES[type] ?? {}) : [];
    return given.flatMap((name) => {
      const similar = names.includes(name) || OWN.has(name) ? undefined : similarTo(name, names);
      const prefix = `providers[${index}].`;
      return similar ? [{ path: prefix + name, similar: prefix + similar }] : [];
    });
  });
}

/** A factory leaves the application's options in `options`. */
function optionsOf(entry: unknown): { readonly type?: unknown; readonly given: readonly string[] } {
  try {
    const { type, options }: Plain = isRecord(entry) ? entry : {};
    return { type, given: Object.keys(isRecord(options) ? options : isRecord(entry) ? entry : {}) };
  } catch {
    return { given: [] }; // A getter of the application throws: the check of the providers reports it.
  }
}
