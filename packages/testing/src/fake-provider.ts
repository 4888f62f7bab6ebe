import type { OAuth2Config, OIDCConfig } from '@latchkey/core/providers/oauth';
import type { Profile } from '@latchkey/core/types';
import {
  type AuthorizationResponse,
  authorize,
  type Consent,
  callbackUrl,
  formPostPage,
} from './fake-provider/authorize.ts';
import { noStore, OAuthFailure } from './fake-provider/failure.ts';
import { GrantStore } from './fake-provider/grants.ts';
import { KeyRing } from './fake-provider/keys.ts';
import {
  applyFault,
  changed,
  type Fault,
  type Faults,
  type FaultyEndpoint,
  faultFor,
  type Misbehavior,
  networkError,
  type Overrides,
  sentOn,
} from './fake-provider/misbehavior.ts';
import {
  asOAuth2,
  asOidc,
  type FakeEndpoints,
  type FakeProviderOptions,
  type FakeProviderSettings,
  metadataOf,
  settingsFor,
} from './fake-provider/options.ts';
import { type IdTokenOverride, makeLogoutToken, signedUserinfo } from './fake-provider/signed-tokens.ts';
import { answerTokenRequest, type TokenEndpoint } from './fake-provider/token-endpoint.ts';
import { claimsFor, grantOfUserinfoRequest } from './fake-provider/userinfo.ts';

/** Redirects after which `fetch` gives up (Fetch §4.4). */
const MOST_REDIRECTS = 20;

const ENDPOINTS = ['discovery', 'authorization', 'jwks', 'token', 'userinfo'] as const;
const OVERRIDES = ['idToken', 'userinfoToken', 'callback', 'mixUp', 'token', 'userinfo', 'discovery'] as const;

/**
 * An OAuth 2 and OpenID Connect provider behind a `fetch` function: it does not listen on a port. It checks requests as
 * strictly as the RFCs allow, and misbehaves in exactly the ways that a test requests.
 *
 * ```ts
 * const provider = new FakeProvider();
 * const config = { providers: [provider.provider()], … };
 * // The application redirects to `location`. The visitor agrees there, and returns:
 * const back = await provider.authorize(location);
 * provider.misbehave({ idToken: { claims: { iss: 'https://impostor.example' } }, token: { delay: 100 } });
 * ```
 */
export class FakeProvider {
  /** Issuer URL, such as `https://provider.example`. */
  readonly issuer: string;
  /** Absolute addresses of its endpoints. */
  readonly endpoints: Readonly<FakeEndpoints>;
  /** The faults of each endpoint. */
  readonly faults: Faults = {};
  /** The changes to otherwise correct responses. */
  readonly overrides: Overrides = {};
  /** The requests so far, the oldest first. */
  readonly requests: RecordedRequest[] = [];
  /**
   * The decision of visitors who open the authorization endpoint through {@link FakeProvider.fetch}. Default: they
   * agree.
   */
  consent: Consent = {};
  readonly #settings: FakeProviderSettings;
  readonly #tokens: TokenEndpoint;
  readonly #met: Map<Fault, number> = new Map();

  constructor(options: FakeProviderOptions = {}) {
    const settings = settingsFor(options);
    this.#settings = settings;
    this.issuer = settings.issuer;
    this.endpoints = settings.endpoints;
    this.#tokens = {
      settings,
      keys: new KeyRing(settings.signingAlgorithm),
      codes: new GrantStore(),
      accessTokens: new GrantStore(),
      refreshTokens: new GrantStore(),
      spentAssertions: new Set(),
    };
  }

  /**
   * Replaces the global `fetch`: same signature, with `signal` and `redirect`. Bound. A request to another host fails
   * as a request to an unreachable host does.
   */
  readonly fetch: typeof globalThis.fetch = async (input, init) => {
    let request = new Request(input, init);
    for (let hops = 0; hops <= MOST_REDIRECTS; hops += 1) {
      const response = await this.#exchange(request);
      const location = response.headers.get('location');
      if (location === null || ![301, 302, 303, 307, 308].includes(response.status) || request.redirect === 'manual')
        return response;
      if (request.redirect === 'error') throw networkError('unexpected redirect');
      request = new Request(new URL(location, request.url), { headers: request.headers, signal: request.signal });
    }
    throw networkError('redirect count exceeded');
  };

  /**
   * Returns the entry for an application's `providers`, with the issuer, the client, its secret and `fetch`.
   *
   * ```ts
   * const config = { providers: [provider.provider({ checks: ['pkce', 'state'] })] };
   * ```
   *
   * @param own Members to set or replace: `id` (default `fake`), `checks`, `profile`, …
   */
  provider(own: Partial<OIDCConfig<Profile>> = {}): OIDCConfig<Profile> {
    return asOidc(this.#settings, this.fetch, own);
  }

  /** Returns the entry of a plain OAuth 2 provider: with endpoints, without an issuer and ID tokens. */
  plainProvider(own: Partial<OAuth2Config<Profile>> = {}): OAuth2Config<Profile> {
    return asOAuth2(this.#settings, this.fetch, own);
  }

  /**
   * Misbehaves from now on in the given ways. Ways of earlier calls stay, unless the same member is given again.
   * {@link FakeProvider.behave} ends all of them.
   *
   * ```ts
   * provider.misbehave({ token: { status: 500, times: 1 } });
   * ```
   */
  misbehave(ways: Misbehavior): void {
    for (const name of ENDPOINTS) if (name in ways) this.faults[name] = ways[name];
    const { idToken, userinfoToken, callback, mixUp } = ways;
    const given = Object.entries({ idToken, userinfoToken, callback, mixUp }).filter(([name]) => name in ways);
    Object.assign(this.overrides, Object.fromEntries(given));
  }

  /** Ends all misbehavior. Recorded requests, codes, tokens and keys stay. */
  behave(): void {
    for (const name of ENDPOINTS) delete this.faults[name];
    for (const name of OVERRIDES) delete this.overrides[name];
    this.#met.clear();
  }

  /** Returns the number of requests, to one endpoint or in total. */
  count(endpoint?: RecordedRequest['endpoint']): number {
    if (endpoint === undefined) return this.requests.length;
    let count = 0;
    for (const request of this.requests) if (request.endpoint === endpoint) count += 1;
    return count;
  }

  /** Returns the requests to one endpoint, the oldest first. */
  requestsTo(endpoint?: RecordedRequest['endpoint']): RecordedRequest[] {
    return this.requests.filter((request) => endpoint === undefined || request.endpoint === endpoint);
  }

  /**
   * Opens the authorization address as a visitor who agrees or refuses. Returns the callback URL to which the provider
   * redirects.
   *
   * ```ts
   * const callback = await provider.authorize(page.location, { deny: 'access_denied' });
   * ```
   *
   * @throws {OAuthFailure} if the client or the redirect URI is wrong, so that a provider must not redirect.
   * @throws {TypeError} if the request has `response_mode=form_post`: call {@link FakeProvider.authorizeForm}.
   */
  async authorize(url: string | URL, consent: Consent = this.consent): Promise<string> {
    const { mixUp } = this.overrides;
    if (mixUp) return mixUp.to.authorize(sentOn(new URL(url), mixUp));
    const response = this.#authorize(new URL(url), consent);
    if (response.mode === 'form_post')
      throw new TypeError('the request has response_mode=form_post: call authorizeForm() instead');
    return callbackUrl(response);
  }

  /**
   * Does the same for `response_mode=form_post`. Returns what the provider's page posts to the callback URL.
   *
   * @returns The fields by name, and as a body. In the body, a misbehaving provider can repeat a name.
   * @throws {OAuthFailure} if the client or the redirect URI is wrong.
   * @throws {TypeError} if the request does not have `response_mode=form_post`.
   */
  async authorizeForm(
    url: string | URL,
    consent: Consent = this.consent,
  ): Promise<{ action: string; fields: Record<string, string>; body: URLSearchParams }> {
    const { mode, redirectUri, fields } = this.#authorize(new URL(url), consent);
    if (mode !== 'form_post')
      throw new TypeError('the request does not have response_mode=form_post: call authorize() instead');
    const body = new URLSearchParams(fields.map(([name, value]) => [name, value]));
    return { action: redirectUri, fields: Object.fromEntries(fields), body };
  }

  /**
   * Returns a logout token for the first client (OpenID Connect Back-Channel Logout §2.4), which names the first user.
   *
   * ```ts
   * const token = await provider.logoutToken({ claims: { sid: 'session-1' } });
   * ```
   *
   * @param override Changes to the otherwise correct token.
   */
  logoutToken(override: IdTokenOverride = {}): Promise<string> {
    return makeLogoutToken(this.#settings, this.#tokens.keys, override);
  }

  /**
   * Signs with a new key from now on.
   *
   * @param options `keepOld`: the old keys stay published. Default: true.
   */
  async rotateKeys({ keepOld = true }: { keepOld?: boolean } = {}): Promise<void> {
    await this.#tokens.keys.rotate(keepOld);
  }

  /**
   * Does the same as {@link FakeProvider.behave}, and clears the recorded requests and {@link FakeProvider.consent}.
   */
  reset(): void {
    this.behave();
    this.requests.length = 0;
    this.consent = {};
  }

  async #exchange(request: Request): Promise<Response> {
    request.signal.throwIfAborted();
    const endpoint = this.#endpointAt(new URL(request.url));
    const body = await request.clone().text();
    const { method, url, headers } = request;
    this.requests.push({ endpoint, method, url, headers, body, form: new URLSearchParams(body) });
    const source = endpoint === 'other' ? undefined : this.faults[endpoint];
    // Counted only if there is a fault: the provider of a whole test run has recorded many requests.
    const fault = source && faultFor(source, request, this.count(endpoint), this.#met);
    const right = (): Promise<Response> => this.#answer(endpoint, request, body);
    return fault ? applyFault(fault, request.signal, right) : right();
  }

  #authorize(url: URL, consent: Consent): AuthorizationResponse {
    if (withoutQuery(url) !== withoutQuery(new URL(this.endpoints.authorization))) {
      throw new TypeError(`${withoutQuery(url)} is not the authorization endpoint ${this.endpoints.authorization}`);
    }
    const parameters = { ...consent.parameters, ...this.overrides.callback };
    return authorize(this.#settings, this.#tokens.codes, url, { ...consent, parameters });
  }

  #endpointAt(url: URL): RecordedRequest['endpoint'] {
    const address = withoutQuery(url);
    return ENDPOINTS.find((name) => withoutQuery(new URL(this.endpoints[name])) === address) ?? 'other';
  }

  async #answer(endpoint: RecordedRequest['endpoint'], request: Request, body: string): Promise<Response> {
    try {
      return await this.#answerRightly(endpoint, request, body);
    } catch (failure) {
      if (failure instanceof OAuthFailure) return failure.toResponse();
      throw failure;
    }
  }

  async #answerRightly(endpoint: RecordedRequest['endpoint'], request: Request, body: string): Promise<Response> {
    const metadata = metadataOf(this.#settings);
    switch (endpoint) {
      case 'discovery':
        return Response.json(changed(metadata, this.overrides.discovery));
      case 'jwks':
        return Response.json(await this.#tokens.keys.publicKeys());
      case 'authorization':
        return this.#answerVisitor(new URL(request.url));
      case 'token': {
        const { idToken, token } = this.overrides;
        return answerTokenRequest(this.#tokens, request, body, {
          ...(idToken ? { idToken } : {}),
          ...(token ? { token } : {}),
        });
      }
      case 'userinfo':
        return this.#answerUserinfo(request);
      case 'other':
        return this.#answerElsewhere(request);
    }
  }

  async #answerUserinfo(request: Request): Promise<Response> {
    const grant = grantOfUserinfoRequest(this.#settings, this.#tokens.accessTokens, request);
    const claims = changed(claimsFor(grant.user, grant.scope), this.overrides.userinfo);
    if (!this.#settings.signedUserinfo) return noStore(claims);
    const override = this.overrides.userinfoToken ?? {};
    return signedUserinfo(this.#settings, this.#tokens.keys, { grant, claims, override });
  }

  #answerVisitor(url: URL): Response {
    const { mixUp } = this.overrides;
    if (mixUp) return new Response(null, { status: 302, headers: { location: sentOn(url, mixUp).href } });
    const response = this.#authorize(url, this.consent);
    if (response.mode === 'query')
      return new Response(null, { status: 302, headers: { location: callbackUrl(response) } });
    return new Response(formPostPage(response), { headers: { 'content-type': 'text/html; charset=utf-8' } });
  }

  async #answerElsewhere(request: Request): Promise<Response> {
    const url = new URL(request.url);
    const handler = this.#settings.routes[withoutQuery(url)];
    if (handler) return handler(request);
    if (url.origin === new URL(this.issuer).origin) return new Response('not found', { status: 404 });
    throw networkError(`the fake provider ${this.issuer} is not at ${url.origin}`);
  }
}

function withoutQuery(url: URL): string {
  return `${url.origin}${url.pathname}`;
}

/** A request that reached a `FakeProvider`. */
export interface RecordedRequest {
  /** `other` is one of the `routes`, or an address without an endpoint. */
  readonly endpoint: FaultyEndpoint | 'other';
  /** The HTTP method in upper case. */
  readonly method: string;
  /** The absolute URL with its query. */
  readonly url: string;
  /** The headers of the request. */
  readonly headers: Headers;
  /** The body as text; `''` without a body. */
  readonly body: string;
  /** The body read as a form. */
  readonly form: URLSearchParams;
}
