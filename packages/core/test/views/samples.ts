import english, { type Language } from '../../src/messages/en.ts';
import Auth0 from '../../src/providers/auth0.ts';
import GitHub from '../../src/providers/github.ts';
import Google from '../../src/providers/google.ts';
import Keycloak from '../../src/providers/keycloak.ts';
import type { Theme } from '../../src/types/config.ts';
import type { SessionInfo } from '../../src/types/session-records.ts';
import { confirmEmailPage } from '../../src/views/confirm-email.ts';
import type { Page } from '../../src/views/document.ts';
import { errorPage } from '../../src/views/error.ts';
import { sessionsPage } from '../../src/views/sessions.ts';
import type { SignInSite, SignInVisit } from '../../src/views/sign-in/data.ts';
import type { PasskeyEntry, SignInEntry } from '../../src/views/sign-in/layout.ts';
import { signInPage } from '../../src/views/sign-in/page.ts';
import { signedInPage } from '../../src/views/sign-in/signed-in.ts';
import { keyStep, nextForm, passkeyStep, passwordStep, registerStep } from '../../src/views/sign-in/steps.ts';
import { signOutPage } from '../../src/views/sign-out.ts';
import { verifyRequestPage } from '../../src/views/verify-request.ts';

const origin = 'https://app.example';

const services: readonly (readonly [name: string, color: string])[] = [
  ['GitHub', '#24292f'],
  ['Google', '#1a73e8'],
  ['Microsoft Entra ID', '#0072c6'],
  ['Apple', '#000'],
  ['Discord', '#5865f2'],
  ['Auth0', '#eb5424'],
  ['Azure Active Directory B2C', '#0072c6'],
  ['Bitbucket', '#205081'],
  ['Box', '#0075c9'],
  ['Cognito', '#c17b9e'],
  ['Coinbase', '#0052ff'],
  ['Dropbox', '#0061fe'],
  ['Facebook', '#006aff'],
  ['Figma', '#a259ff'],
  ['FusionAuth', ''],
  ['GitLab', '#fc6d26'],
  ['HubSpot', '#ff7a59'],
  ['Instagram', '#e4405f'],
  ['Keycloak', '#428bca'],
  ['LINE', '#00c300'],
  ['LinkedIn', '#069'],
  ['Notion', '#fff'],
  ['Okta', '#0a0a0a'],
  ['Patreon', '#e85b46'],
  ['Reddit', '#ff4500'],
  ['Salesforce', '#00a1e0'],
  ['Slack', '#611f69'],
  ['Spotify', '#1db954'],
  ['Strava', '#fc4c02'],
  ['Twitch', '#9146ff'],
];

/** Entries for `count` services. */
export function serviceEntries(count: number): SignInEntry[] {
  return services.slice(0, count).map(([name, brandColor], index) => {
    const id = name.toLowerCase().replaceAll(' ', '-');
    return { type: index % 2 ? 'oidc' : 'oauth', id, name, brandColor, signinUrl: `${origin}/auth/signin/${id}` };
  });
}

/** Entries for built-in providers, with their marks. */
const builtInEntries: readonly SignInEntry[] = [GitHub(), Google(), Auth0(), Keycloak()].map(
  ({ type, id, name, style }) => ({ type, id, name, signinUrl: `${origin}/auth/signin/${id}`, ...style }),
);

export const emailEntry: SignInEntry = {
  type: 'email',
  id: 'resend',
  name: 'Resend',
  signinUrl: `${origin}/auth/signin/resend`,
};

export const credentialsEntry: SignInEntry = {
  type: 'credentials',
  id: 'credentials',
  name: 'Credentials',
  callbackUrl: `${origin}/auth/callback/credentials`,
  fields: {
    username: { label: 'Username', placeholder: 'jsmith', required: true },
    password: { label: 'Password', type: 'password', required: true },
    remember: { label: 'Stay signed in on this device', type: 'checkbox' },
  },
};

export const passkeyEntry: PasskeyEntry = {
  type: 'webauthn',
  id: 'passkey',
  name: 'Passkey',
  callbackUrl: `${origin}/auth/callback/passkey`,
  optionsUrl: `${origin}/auth/webauthn-options/passkey`,
  autofill: true,
  isDiscoverable: true,
  fields: { email: { label: 'Email', required: true, autocomplete: 'username webauthn' } },
};

/** Data of a sign-in page. Default: English, and without ways to sign in. */
export function signInSite(site: Partial<SignInSite> = {}): SignInSite {
  const urls = { signInUrl: `${origin}/auth/signin`, signOutUrl: `${origin}/auth/signout` };
  return { theme: {}, language: english, providers: [], ...urls, ...site };
}

/** Data of a visitor who is signed out. */
export function signInVisit(visit: Partial<SignInVisit> = {}): SignInVisit {
  return { csrfToken: 'token|hash', callbackUrl: `${origin}/inbox`, ...visit };
}

/** Returns a sign-in page. */
export function signIn(site: Partial<SignInSite> = {}, visit: Partial<SignInVisit> = {}): Page {
  return signInPage(signInSite(site), signInVisit(visit));
}

export const scripts = { page: `${origin}/auth/asset/page.js?v=1`, passkey: `${origin}/auth/asset/passkey.js?v=1` };

/** Credentials with a name and a password alone. */
export const passwordEntry: SignInEntry & { type: 'credentials' } = {
  type: 'credentials',
  id: 'credentials',
  name: 'Credentials',
  callbackUrl: `${origin}/auth/callback/credentials`,
  fields: {
    username: { label: 'Username', required: true },
    password: { label: 'Password', type: 'password', required: true },
  },
};

/** A security key of a user whose address is typed. */
export const keyEntry: PasskeyEntry = {
  type: 'webauthn',
  id: 'webauthn',
  name: 'WebAuthn',
  callbackUrl: `${origin}/auth/callback/webauthn`,
  optionsUrl: `${origin}/auth/webauthn-options/webauthn`,
  autofill: true,
  isDiscoverable: false,
  fields: { email: { label: 'Email', required: true, autocomplete: 'username webauthn' } },
};

/** Returns the pages after the sign-in page, by name. */
function stepPages(theme: Theme): Record<string, Page> {
  const site = signInSite({ theme, scripts, providers: [passkeyEntry, emailEntry, passwordEntry] });
  const next = nextForm(site);
  if (next?.kind !== 'identifier') throw new Error('the page has no step for the password');
  const visit = { ...signInVisit(), identifier: 'ada@example.com' };
  const problem = { error: 'CredentialsSignin', provider: 'credentials' };
  const user = 'ada@example.com';
  return {
    'sign-in-password': passwordStep(site, next, visit, true),
    'sign-in-password-wrong': passwordStep(site, next, { ...visit, problem }, true),
    'sign-in-key': keyStep(signInSite({ theme, scripts }), keyEntry, visit),
    'sign-in-register': registerStep(site, visit),
    'sign-in-add-passkey': passkeyStep(site, { ...visit, visitor: user }),
    'signed-in': signedInPage({ site, ...signInVisit(), user, name: 'Ada', addUrl: `${origin}/auth/signin?add` }),
  };
}

const details = [
  {
    type: 'MissingSecret',
    message: 'No secret is configured.',
    remedy: 'Set `AUTH_SECRET` to at least 32 random characters: `openssl rand -base64 33`',
  },
  {
    type: 'InvalidEndpoints',
    message: 'Provider "acme" has neither an issuer nor an authorization endpoint.',
    remedy: 'Give it `issuer`, or `authorization`, `token` and `userinfo`.',
  },
];

const minutes = (count: number): Date => new Date(count * 60_000);

/** Sessions as users have them: the last seen first. */
const sessions: readonly SessionInfo[] = [
  {
    id: 'b',
    current: false,
    label: 'Safari on iOS',
    provider: 'github',
    seenAt: minutes(9_990),
    startedAt: minutes(0),
  },
  {
    id: 'a',
    current: true,
    label: 'Firefox on Linux',
    provider: 'passkey',
    startedAt: minutes(9_000),
    seenAt: minutes(9_985),
  },
  { id: 'c', current: false, network: '2001:db8:1234::/48', startedAt: minutes(-90_000), seenAt: minutes(-10_000) },
  {
    id: 'd',
    current: false,
    label: 'Kiosk in the entrance hall of the department of thermodynamics, on Windows',
    provider: 'resend',
    network: '192.0.2.0/24',
    startedAt: minutes(-90_000),
    seenAt: minutes(-20_000),
  },
].map((session) => ({ ...session, expires: minutes(90_000) }));

/** Each page in the states that look different, by name. */
export function samplePages(theme: Theme, language: Language = english): Record<string, Page> {
  const signInUrl = `${origin}/auth/signin`;
  const requestedMail = {
    address: 'ada.lovelace@mail.example.com',
    codeUrl: `${origin}/auth/code/email`,
    resendUrl: `${origin}/auth/signin/email`,
    secondsToWait: 42,
  };
  const ofSessions = {
    ...{
      theme,
      language,
      origin,
      csrfToken: 'token|hash',
      sessionsUrl: `${origin}/auth/sessions`,
      now: minutes(10_000),
    },
    methods: new Map([
      ['github', 'GitHub'],
      ['passkey', 'a passkey'],
      ['resend', 'email'],
    ]),
  };
  const all = [passkeyEntry, emailEntry, credentialsEntry];
  const error = (code: string | undefined, extra: object = {}): Page =>
    errorPage({ theme, language: english, error: code, signInUrl: `${origin}/auth/signin`, origin, ...extra }).page;
  return {
    'sign-in-none': signIn({ theme }),
    'sign-in-1': signIn({ theme, providers: serviceEntries(1) }),
    'sign-in-built-in': signIn({ theme, providers: builtInEntries }),
    'sign-in-5': signIn(
      { theme, providers: serviceEntries(5) },
      { problem: { error: 'OAuthCallbackError', reason: 'cancelled', provider: 'google' } },
    ),
    'sign-in-5-all': signIn(
      { theme, scripts, providers: [...serviceEntries(5), ...all] },
      { problem: { error: 'CredentialsSignin', code: 'locked-out', provider: 'credentials' } },
    ),
    'sign-in-30-all': signIn(
      { theme, scripts, providers: [...serviceEntries(30), ...all] },
      { problem: { error: 'InvalidCheck' } },
    ),
    'sign-in-12-identifier': signIn(
      { theme, scripts, providers: [...serviceEntries(12), passkeyEntry, emailEntry, passwordEntry] },
      { lastUsed: 'google' },
    ),
    'sign-in-email': signIn({ theme, providers: [emailEntry] }, { identifier: 'ada@example.com' }),
    'sign-in-password-only': signIn({
      theme,
      providers: [passwordEntry],
      forgotPasswordUrl: '/reset',
      signUpUrl: '/join',
    }),
    'sign-in-credentials': signIn({ theme, providers: [credentialsEntry] }),
    'sign-in-passkey': signIn({ theme, scripts, providers: [passkeyEntry] }),
    'sign-in-passkey-more': signIn({ theme, scripts, providers: [passkeyEntry] }, { visitor: 'ada@example.com' }),
    ...stepPages(theme),
    'sign-out': signOutPage({
      theme,
      language,
      user: 'ada@example.com',
      csrfToken: 'token|hash',
      signOutUrl: `${origin}/auth/signout`,
    }),
    'sign-out-everywhere': signOutPage({
      ...{ theme, language, csrfToken: 'token|hash', signOutUrl: `${origin}/auth/signout` },
      sessionsUrl: `${origin}/auth/sessions`,
    }),
    sessions: sessionsPage({ ...ofSessions, sessions }),
    'sessions-1': sessionsPage({ ...ofSessions, sessions: sessions.filter(({ current }) => current) }),
    'verify-request': verifyRequestPage({ theme, language, origin, signInUrl }),
    'verify-request-code': verifyRequestPage({ theme, language, origin, signInUrl, mail: requestedMail }),
    'verify-request-wrong-code': verifyRequestPage({
      theme,
      language,
      origin,
      signInUrl,
      hasError: true,
      mail: requestedMail,
    }),
    'verify-request-no-code': verifyRequestPage({
      ...{ theme, language, origin, signInUrl, hasError: true },
      mail: { ...requestedMail, codeUrl: undefined, isOver: true, secondsToWait: 0 },
    }),
    'verify-request-over': verifyRequestPage({ theme, language, origin, signInUrl, hadCode: true }),
    'confirm-email': confirmEmailPage({
      theme,
      language,
      csrfToken: 'token',
      callbackUrl: `${origin}/inbox`,
      token: 'token',
      email: 'ada.lovelace@mail.example.com',
      asked: { at: new Date(0), browser: 'Chrome', system: 'Windows' },
      now: new Date(120_000),
      hasCode: true,
      isAsker: false,
      action: `${origin}/auth/callback/email`,
    }),
    'confirm-email-verifies': confirmEmailPage({
      ...{ theme, language, csrfToken: 'token', callbackUrl: `${origin}/inbox`, token: 'token' },
      email: 'ada.lovelace@mail.example.com',
      verifies: { provider: 'acme', name: 'Acme' },
      now: new Date(120_000),
      hasCode: true,
      isAsker: false,
      action: `${origin}/auth/callback/email`,
    }),
    error: error(undefined),
    'error-configuration': error('Configuration', { reference: 'k3f9-71xq' }),
    'error-development': error('Configuration', { details }),
    'error-denied': error('AccessDenied'),
    'error-verification': error('Verification'),
  };
}
