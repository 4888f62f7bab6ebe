import { OAuthFailure } from './failure.ts';
import type { Grant, GrantStore } from './grants.ts';
import type { FakeProviderSettings, FakeUser } from './options.ts';

/** Changes to the parameters of an authorization response. A list repeats a parameter; `undefined` removes it. */
export type CallbackParameters = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The visitor's decision at the provider. */
export interface Consent {
  /** The user who signs in; need not be one of the provider's users. Default: the provider's first user. */
  user?: FakeUser;
  /** The `sub` of the provider's user who signs in. */
  sub?: string;
  /** The error code with which the visitor or the provider refuses, such as `access_denied`. */
  deny?: string;
  /** The `error_description` of a refusal. */
  description?: string;
  /** Changes to the callback's parameters: Apple's `user`, a forged `iss`, another `state`. */
  parameters?: CallbackParameters;
}

/** The provider's answer to an authorization request. */
export interface AuthorizationResponse {
  readonly redirectUri: string;
  readonly mode: 'query' | 'form_post';
  /** In order. A name can occur several times. */
  readonly fields: readonly (readonly [name: string, value: string])[];
}

/**
 * Checks an authorization request and decides for the visitor (RFC 6749 §4.1.1, §4.1.2; RFC 9207).
 *
 * @throws {OAuthFailure} if the client or the redirect URI is wrong, so that a provider must not redirect.
 */
export function authorize(
  settings: FakeProviderSettings,
  codes: GrantStore,
  url: URL,
  consent: Consent = {},
): AuthorizationResponse {
  const asked = url.searchParams;
  const redirectUri = checkedRedirectUri(settings, asked);
  const state = asked.get('state');
  const common = { ...(state === null ? {} : { state }), ...(settings.issParameter ? { iss: settings.issuer } : {}) };
  const refusal = consent.deny
    ? new OAuthFailure(consent.deny, consent.description ?? 'the visitor refused')
    : requestFault(settings, asked);
  const outcome = refusal
    ? { error: refusal.error, error_description: refusal.message }
    : { code: issueCode(settings, codes, asked, redirectUri, visitorOf(settings, consent)) };
  const parameters: CallbackParameters = { ...outcome, ...common, ...consent.parameters };
  return {
    redirectUri,
    mode: asked.get('response_mode') === 'form_post' ? 'form_post' : 'query',
    fields: Object.entries(parameters).flatMap(([name, value]) =>
      [value ?? []].flat().map((one) => [name, one] as const),
    ),
  };
}

/** Returns the callback URL with the response in its query. Pure. */
export function callbackUrl({ redirectUri, fields }: AuthorizationResponse): string {
  const url = new URL(redirectUri);
  for (const [name, value] of fields) url.searchParams.append(name, value);
  return url.href;
}

/** Returns the page for `response_mode=form_post` (OAuth 2.0 Form Post Response Mode §2). Pure. */
export function formPostPage({ redirectUri, fields }: AuthorizationResponse): string {
  const inputs = fields.map(
    ([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`,
  );
  return `<!doctype html><html lang="en"><title>Continue</title><form method="post" action="${escapeHtml(redirectUri)}">${inputs.join('')}<button>Continue</button></form></html>`;
}

/** RFC 6749 §4.1.2.1: if the client or the redirect URI is wrong, the provider must not redirect. */
function checkedRedirectUri({ clients }: FakeProviderSettings, asked: URLSearchParams): string {
  const client = clients.find(({ client_id }) => client_id === asked.get('client_id'));
  if (!client) throw new OAuthFailure('invalid_client', `unknown client_id ${asked.get('client_id')}`);
  const redirectUri = asked.get('redirect_uri');
  if (redirectUri === null || !URL.canParse(redirectUri))
    throw new OAuthFailure('invalid_request', `redirect_uri is missing or is not a URL: ${redirectUri}`);
  if (client.redirect_uris && !client.redirect_uris.includes(redirectUri)) {
    throw new OAuthFailure('invalid_request', `redirect_uri is not registered: ${redirectUri}`);
  }
  return redirectUri;
}

/** Returns the error that the provider reports to the client by redirect; null if the request is correct. */
function requestFault({ requirePkce }: FakeProviderSettings, asked: URLSearchParams): OAuthFailure | null {
  const repeated = [...asked.keys()].find((name, at, all) => all.indexOf(name) !== at);
  if (repeated !== undefined) return new OAuthFailure('invalid_request', `parameter given twice: ${repeated}`);
  if (asked.get('response_type') !== 'code')
    return new OAuthFailure('unsupported_response_type', 'response_type must be code');
  if (requirePkce && !asked.has('code_challenge'))
    return new OAuthFailure('invalid_request', 'code_challenge is missing');
  const method = asked.get('code_challenge_method') ?? 'plain';
  if (asked.has('code_challenge') && method !== 'S256' && method !== 'plain') {
    return new OAuthFailure('invalid_request', `unknown code_challenge_method ${method}`);
  }
  return null;
}

function issueCode(
  settings: FakeProviderSettings,
  codes: GrantStore,
  asked: URLSearchParams,
  redirectUri: string,
  user: FakeUser,
): string {
  const now = settings.now();
  const challenge = asked.get('code_challenge');
  const grant: Grant = {
    clientId: asked.get('client_id') ?? '',
    redirectUri,
    user,
    scope: asked.get('scope') ?? '',
    nonce: asked.get('nonce') ?? undefined,
    challenge:
      challenge === null ? undefined : { value: challenge, method: asked.get('code_challenge_method') ?? 'plain' },
    authTime: Math.floor(now.getTime() / 1000),
  };
  return codes.issue('code', grant, new Date(now.getTime() + settings.codeLifetime * 1000));
}

function visitorOf({ users, visitor }: FakeProviderSettings, { user, sub }: Consent): FakeUser {
  if (user) return user;
  if (sub === undefined) return visitor;
  const found = users.find((one) => one.sub === sub);
  if (!found) throw new TypeError(`the provider does not have a user with the sub ${sub}; pass the whole user instead`);
  return found;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
