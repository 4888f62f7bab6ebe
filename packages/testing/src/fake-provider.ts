import {
  type AuthorizationResponse,
  authorize,
  type Consent,
  callbackUrl,
  formPostPage,
} from './fake-provider/authorize.ts';
import { noStore, OAuthFailure } from './fake-provider/failure.ts';
import {
  applyFault,
  type Fault,
  type FaultSource,
  type Faults,
  type FaultyEndpoint,
  faultFor,
  networkError,
} from './fake-provider/faults.ts';
import type { IdTokenOverride } from './fake-provider/id-token.ts';
import { type IdTokenFault, idTokenFaults } from './fake-provider/id-token-faults.ts';
import { KeyRing } from './fake-provider/keys.ts';
import { metadataOf } from './fake-provider/metadata.ts';
import {
  type ClientAuthentication,
  DEFAULT_SECRET,
  type FakeClient,
  type FakeEndpoints,
  type FakeProviderOptions,
  type FakeProviderSettings,
  type FakeUser,
  type SigningAlgorithm,
  settingsFor,
} from './fake-provider/options.ts';
import { GrantStore } from './fake-provider/store.ts';
import { answerTokenRequest, type TokenEndpoint } from './fake-provider/token-endpoint.ts';
import { answerUserinfoRequest } from './fake-provider/userinfo.ts';

export type {
  ClientAuthentication,
  Consent,
  FakeClient,
  FakeEndpoints,
  FakeProviderOptions,
  FakeUser,
  Fault,
  FaultSource,
  Faults,
  FaultyEndpoint,
  IdTokenFault,
  IdTokenOverride,
  SigningAlgorithm,
};
export { DEFAULT_SECRET, idTokenFaults, OAuthFailure };

/** Redirects after which `fetch` gives up (Fetch §4.4). */
const MOST_REDIRECTS = 20;

/** A request that reached a {@link FakeProvider}. */
export interface RecordedRequest {
  /** `other` is one of the `routes` or an address where nobody answers. */
  readonly endpoint: FaultyEndpoint | 'other';
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
  readonly body: string;
  /** The body read as a form. */
  readonly form: URLSearchParams;
}

/** What a test changes in answers that are otherwise right. */
export interface Overrides {
  /** ID tokens; {@link idTokenFaults} has ready-made ones. */
  idToken?: IdTokenOverride | undefined;
  /** The JSON of the token endpoint: gets the right one, returns the one to send (`undefined` members are left out). */
  token?: ((answer: Readonly<Record<string, unknown>>) => Record<string, unknown>) | undefined;
  /** The JSON of the userinfo endpoint. */
  userinfo?: ((claims: Readonly<Record<string, unknown>>) => Record<string, unknown>) | undefined;
  /** The discovery document. */
  discovery?: ((metadata: Readonly<Record<string, unknown>>) => Record<string, unknown>) | undefined;
}

/**
 * An OAuth 2 and OpenID Connect provider which lives behind a `fetch` function: nothing listens on a port. It insists on what a strict
 * provider insists on, and goes wrong in just the way a test asks for.
 *
 * ```ts
 * const provider = new FakeProvider({ clients: [{ client_id: 'app', client_secret: 'secret' }] });
 * // hand provider.fetch to the application under test, then:
 * const back = await provider.authorize(signIn.location, { sub: 'ada-1815' });
 * provider.faults.token = { status: 503, times: 1 };
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

  /** How many requests came in, to one endpoint or in all. */
  count(endpoint?: RecordedRequest['endpoint']): number {
    return this.requestsTo(endpoint).length;
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
    const response = this.#authorize(new URL(url), consent);
    if (response.mode === 'form_post')
      throw new TypeError('the request asks for response_mode=form_post: call authorizeForm() instead');
    return callbackUrl(response);
  }

  /**
   * Like {@link FakeProvider.authorize} for `response_mode=form_post`: what the provider's page posts to the callback.
   *
   * @throws {OAuthFailure} when client or redirect URI are wrong.
   * @throws {TypeError} when the request does not ask for `form_post`.
   */
  async authorizeForm(
    url: string | URL,
    consent: Consent = this.consent,
  ): Promise<{ action: string; fields: Record<string, string> }> {
    const { mode, redirectUri, fields } = this.#authorize(new URL(url), consent);
    if (mode !== 'form_post')
      throw new TypeError('the request does not ask for response_mode=form_post: call authorize() instead');
    return { action: redirectUri, fields: { ...fields } };
  }

  /**
   * Signs with a new key from now on.
   *
   * @param options `keepOld`: whether the old keys stay published. Default: true.
   */
  async rotateKeys({ keepOld = true }: { keepOld?: boolean } = {}): Promise<void> {
    await this.#tokens.keys.rotate(keepOld);
  }

  /** Puts everything right again and forgets the recorded requests; codes, tokens and keys stay valid. */
  reset(): void {
    for (const endpoint of ['discovery', 'authorization', 'jwks', 'token', 'userinfo'] as const)
      delete this.faults[endpoint];
    for (const override of ['idToken', 'token', 'userinfo', 'discovery'] as const) delete this.overrides[override];
    this.#met.clear();
    this.requests.length = 0;
    this.consent = {};
  }

  async #exchange(request: Request): Promise<Response> {
    request.signal.throwIfAborted();
    const endpoint = this.#endpointAt(new URL(request.url));
    const body = await request.clone().text();
    const { method, url, headers } = request;
    this.requests.push({ endpoint, method, url, headers, body, form: new URLSearchParams(body) });
    const fault =
      endpoint === 'other' ? undefined : faultFor(this.faults[endpoint], request, this.count(endpoint), this.#met);
    const right = (): Promise<Response> => this.#answer(endpoint, request, body);
    return fault ? applyFault(fault, request.signal, right) : right();
  }

  #authorize(url: URL, consent: Consent): AuthorizationResponse {
    if (withoutQuery(url) !== withoutQuery(new URL(this.endpoints.authorization))) {
      throw new TypeError(`not the authorization endpoint ${this.endpoints.authorization}: ${withoutQuery(url)}`);
    }
    return authorize(this.#settings, this.#tokens.codes, url, consent);
  }

  #endpointAt(url: URL): RecordedRequest['endpoint'] {
    const address = withoutQuery(url);
    const names = ['discovery', 'authorization', 'jwks', 'token', 'userinfo'] as const;
    return names.find((name) => withoutQuery(new URL(this.endpoints[name])) === address) ?? 'other';
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
        return Response.json(this.overrides.discovery?.(metadata) ?? metadata);
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
      case 'userinfo': {
        const claims = answerUserinfoRequest(this.#settings, this.#tokens.accessTokens, request);
        return noStore(this.overrides.userinfo?.(claims) ?? claims);
      }
      case 'other':
        return this.#answerElsewhere(request);
    }
  }

  #answerVisitor(url: URL): Response {
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
