import type { OAuth2Config, OIDCConfig } from '@latchkey/core/providers/oauth';
import type { Profile } from '@latchkey/core/types';
import {
  type AuthorizationResponse,
  authorize,
  type Consent,
  callbackUrl,
  formPostPage,
} from './fake-provider/authorize.ts';
import { changed } from './fake-provider/change.ts';
import { asOAuth2, asOidc } from './fake-provider/configured.ts';
import { noStore, OAuthFailure } from './fake-provider/failure.ts';
import { applyFault, type Fault, type Faults, faultFor, networkError } from './fake-provider/faults.ts';
import { KeyRing } from './fake-provider/keys.ts';
import { metadataOf } from './fake-provider/metadata.ts';
import { type Misbehaviour, sentOn } from './fake-provider/misbehaviour.ts';
import {
  type FakeEndpoints,
  type FakeProviderOptions,
  type FakeProviderSettings,
  settingsFor,
} from './fake-provider/options.ts';
import type { Overrides } from './fake-provider/overrides.ts';
import type { RecordedRequest } from './fake-provider/recorded-request.ts';
import { signedUserinfo } from './fake-provider/signed-userinfo.ts';
import { GrantStore } from './fake-provider/store.ts';
import { answerTokenRequest, type TokenEndpoint } from './fake-provider/token-endpoint.ts';
import { claimsFor, grantOfUserinfoRequest } from './fake-provider/userinfo.ts';

/** Redirects after which `fetch` gives up (Fetch §4.4). */
const MOST_REDIRECTS = 20;

const ENDPOINTS = ['discovery', 'authorization', 'jwks', 'token', 'userinfo'] as const;
const OVERRIDES = ['idToken', 'userinfoToken', 'callback', 'mixUp', 'token', 'userinfo', 'discovery'] as const;

/**
 * An OAuth 2 and OpenID Connect provider which lives behind a `fetch` function: nothing listens on a port. It insists on what a strict
 * provider insists on, and goes wrong in just the way a test asks for.
 *
 * ```ts
 * const provider = new FakeProvider();
 * const config = { providers: [provider.provider()], … };
 * // The application answers the sign-in form with `location`. The visitor goes there, agrees, and comes back:
 * const back = await provider.authorize(location);
 * provider.misbehave({ idToken: { claims: { iss: 'https://impostor.example' } }, token: { delay: 100 } });
 * ```
 */
export class FakeProvider {
  readonly issuer: string;
  /** Absolute addresses of its endpoints. */
  readonly endpoints: Readonly<FakeEndpoints>;
  /** What goes wrong where. */
  readonly faults: Faults = {};
  /** What is changed in the answers. */
  readonly overrides: Overrides = {};
  /** Every request so far, in its order. */
  readonly requests: RecordedRequest[] = [];
  /** What visitors do who come to the authorization endpoint through {@link FakeProvider.fetch}. Default: they agree. */
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
   * Stands in for the global `fetch`: same signature, honours `signal` and `redirect`. Bound. An address where the provider does not
   * answer fails as an unreachable host does.
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
   * This provider for an application's `providers`, found by its issuer: client, secret and `fetch` are filled in, the rest as given.
   *
   * @param own Members to set or replace: `id` (default `fake`), `checks`, `profile`, …
   */
  provider(own: Partial<OIDCConfig<Profile>> = {}): OIDCConfig<Profile> {
    return asOidc(this.#settings, this.fetch, own);
  }

  /** The same as a plain OAuth 2 provider: endpoints are configured, there is no issuer and no ID token counts. */
  plainProvider(own: Partial<OAuth2Config<Profile>> = {}): OAuth2Config<Profile> {
    return asOAuth2(this.#settings, this.fetch, own);
  }

  /**
   * Goes wrong from now on in the ways that are given. What was asked for before stays, unless the same member is given again;
   * {@link FakeProvider.behave} ends everything.
   */
  misbehave(ways: Misbehaviour): void {
    for (const name of ENDPOINTS) if (name in ways) this.faults[name] = ways[name];
    const { idToken, userinfoToken, callback, mixUp } = ways;
    const given = Object.entries({ idToken, userinfoToken, callback, mixUp }).filter(([name]) => name in ways);
    Object.assign(this.overrides, Object.fromEntries(given));
  }

  /** Does everything right again; recorded requests, codes, tokens and keys stay. */
  behave(): void {
    for (const name of ENDPOINTS) delete this.faults[name];
    for (const name of OVERRIDES) delete this.overrides[name];
    this.#met.clear();
  }

  /** How many requests came in, to one endpoint or in all. */
  count(endpoint?: RecordedRequest['endpoint']): number {
    if (endpoint === undefined) return this.requests.length;
    let count = 0;
    for (const request of this.requests) if (request.endpoint === endpoint) count += 1;
    return count;
  }

  /** The requests to one endpoint, in their order. */
  requestsTo(endpoint?: RecordedRequest['endpoint']): RecordedRequest[] {
    return this.requests.filter((request) => endpoint === undefined || request.endpoint === endpoint);
  }

  /**
   * The visitor opens the authorization address and agrees (or not); returns the callback address to which the browser is sent.
   *
   * @throws {OAuthFailure} when client or redirect URI are wrong, so that a provider would not redirect.
   * @throws {TypeError} for `response_mode=form_post`, which {@link FakeProvider.authorizeForm} is for.
   */
  async authorize(url: string | URL, consent: Consent = this.consent): Promise<string> {
    const { mixUp } = this.overrides;
    if (mixUp) return mixUp.to.authorize(sentOn(new URL(url), mixUp));
    const response = this.#authorize(new URL(url), consent);
    if (response.mode === 'form_post')
      throw new TypeError('the request asks for response_mode=form_post: call authorizeForm() instead');
    return callbackUrl(response);
  }

  /**
   * Like {@link FakeProvider.authorize} for `response_mode=form_post`: what the provider's page posts to the callback.
   *
   * @returns the fields by name, and as the body in which a misbehaving provider may have a name several times.
   * @throws {OAuthFailure} when client or redirect URI are wrong.
   * @throws {TypeError} when the request does not ask for `form_post`.
   */
  async authorizeForm(
    url: string | URL,
    consent: Consent = this.consent,
  ): Promise<{ action: string; fields: Record<string, string>; body: URLSearchParams }> {
    const { mode, redirectUri, fields } = this.#authorize(new URL(url), consent);
    if (mode !== 'form_post')
      throw new TypeError('the request does not ask for response_mode=form_post: call authorize() instead');
    const body = new URLSearchParams(fields.map(([name, value]) => [name, value]));
    return { action: redirectUri, fields: Object.fromEntries(fields), body };
  }

  /**
   * Signs with a new key from now on.
   *
   * @param options `keepOld`: whether the old keys stay published. Default: true.
   */
  async rotateKeys({ keepOld = true }: { keepOld?: boolean } = {}): Promise<void> {
    await this.#tokens.keys.rotate(keepOld);
  }

  /** Like {@link FakeProvider.behave}, and forgets the recorded requests and the {@link FakeProvider.consent}. */
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
    // Counted only where somebody asks: a provider of a whole test run has many requests behind it.
    const fault = source && faultFor(source, request, this.count(endpoint), this.#met);
    const right = (): Promise<Response> => this.#answer(endpoint, request, body);
    return fault ? applyFault(fault, request.signal, right) : right();
  }

  #authorize(url: URL, consent: Consent): AuthorizationResponse {
    if (withoutQuery(url) !== withoutQuery(new URL(this.endpoints.authorization))) {
      throw new TypeError(`not the authorization endpoint ${this.endpoints.authorization}: ${withoutQuery(url)}`);
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
