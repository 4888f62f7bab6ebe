import * as oauth from 'oauth4webapi';

/** A strict client made of oauth4webapi, for the providers of this package. */
export interface RelyingPartyOptions {
  issuer: string;
  /** Default: the global one. */
  fetch?: typeof globalThis.fetch;
  clientId?: string;
  authentication?: oauth.ClientAuth;
  scope?: string;
  /** Default: true. */
  pkce?: boolean;
  responseMode?: string;
  now?: () => Date;
}

export const redirectUri = 'https://app.test/callback';

/** The result of one sign-in. */
export interface SignedIn {
  tokens: oauth.TokenEndpointResponse;
  claims: oauth.IDToken | undefined;
  userinfo: Record<string, unknown>;
}

interface RequestOptions {
  [oauth.customFetch]: (
    url: string,
    options: oauth.CustomFetchOptions<string, BodyInit | undefined>,
  ) => Promise<Response>;
  [oauth.allowInsecureRequests]: boolean;
}

/** Options of each request; http is allowed on loopback. */
function requestOptions(fetch: typeof globalThis.fetch = globalThis.fetch): RequestOptions {
  return {
    [oauth.customFetch]: (url, { body, signal, ...options }) =>
      fetch(url, { ...options, ...(body === undefined ? {} : { body }), ...(signal ? { signal } : {}) }),
    [oauth.allowInsecureRequests]: true,
  };
}

export async function discover({ issuer, fetch }: RelyingPartyOptions): Promise<oauth.AuthorizationServer> {
  const url = new URL(issuer);
  return oauth.processDiscoveryResponse(url, await oauth.discoveryRequest(url, requestOptions(fetch)));
}

/** A started sign-in: the address to open, and a function that finishes it. */
export async function beginSignIn(
  options: RelyingPartyOptions,
  callback: string = redirectUri,
): Promise<{ url: URL; finish: (back: string | URL) => Promise<SignedIn> }> {
  const server = await discover(options);
  const [state, nonce, verifier] = [
    oauth.generateRandomState(),
    oauth.generateRandomNonce(),
    oauth.generateRandomCodeVerifier(),
  ];
  const url = new URL(server.authorization_endpoint ?? '');
  const { clientId = 'client', scope = 'openid profile email', pkce = true, responseMode } = options;
  url.search = new URLSearchParams({
    client_id: clientId,
    redirect_uri: callback,
    response_type: 'code',
    scope,
    state,
    nonce,
    ...(pkce
      ? { code_challenge: await oauth.calculatePKCECodeChallenge(verifier), code_challenge_method: 'S256' }
      : {}),
    ...(responseMode ? { response_mode: responseMode } : {}),
  }).toString();
  return {
    url,
    finish: (back) =>
      finishSignIn(options, server, {
        callback,
        back: new URL(back),
        state,
        nonce,
        verifier: pkce ? verifier : oauth.nopkce,
      }),
  };
}

interface Expected {
  callback: string;
  back: URL;
  state: string;
  nonce: string;
  verifier: string | typeof oauth.nopkce;
}

async function finishSignIn(
  options: RelyingPartyOptions,
  server: oauth.AuthorizationServer,
  expected: Expected,
): Promise<SignedIn> {
  const { clientId = 'client', authentication = oauth.ClientSecretBasic('secret'), now } = options;
  const skew = now ? Math.round((now().getTime() - Date.now()) / 1000) : 0;
  const client: oauth.Client = { client_id: clientId, [oauth.clockSkew]: skew };
  const http = requestOptions(options.fetch);
  const parameters = oauth.validateAuthResponse(server, client, expected.back, expected.state);
  const response = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    authentication,
    parameters,
    expected.callback,
    expected.verifier,
    http,
  );
  const tokens = await oauth.processAuthorizationCodeResponse(server, client, response, {
    expectedNonce: expected.nonce,
    requireIdToken: true,
  });
  await oauth.validateApplicationLevelSignature(server, response, http);
  const claims = oauth.getValidatedIdTokenClaims(tokens);
  const answer = await oauth.userInfoRequest(server, client, tokens.access_token, http);
  return { tokens, claims, userinfo: await oauth.processUserInfoResponse(server, client, claims?.sub ?? '', answer) };
}
