import { createLocalJWKSet, decodeJwt, type JWTPayload, jwtVerify } from 'jose';
import { OAuthFailure } from './failure.ts';
import type { ClientAuthentication, FakeClient, FakeProviderSettings } from './options.ts';

const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

/** The client authentication in a request. */
interface Credentials {
  readonly method: ClientAuthentication;
  readonly clientId: string | null;
  /** The secret or the assertion. */
  readonly proof: string;
}

/**
 * Authenticates the client by the method with which it is registered (RFC 6749 §2.3, OpenID Connect Core §9).
 *
 * @param spentAssertions The `jti` values so far; this function adds one.
 * @throws {OAuthFailure} `invalid_client` if the authentication fails.
 */
export async function authenticateClient(
  settings: FakeProviderSettings,
  headers: Headers,
  form: URLSearchParams,
  spentAssertions: Set<string>,
): Promise<FakeClient> {
  const credentials = readCredentials(headers.get('authorization'), form);
  const client = settings.clients.find(({ client_id }) => client_id === credentials.clientId);
  if (!client) throw refusal(`unknown client ${credentials.clientId}`);
  const wanted = client.token_endpoint_auth_method ?? 'client_secret_basic';
  const isAssertion = credentials.method === 'private_key_jwt' && wanted === 'client_secret_jwt';
  if (credentials.method !== wanted && !isAssertion)
    throw refusal(`client must use ${wanted}, used ${credentials.method}`);
  switch (wanted) {
    case 'client_secret_basic':
    case 'client_secret_post':
      if (credentials.proof !== client.client_secret) throw refusal('wrong client secret');
      return client;
    case 'client_secret_jwt':
    case 'private_key_jwt':
      await checkAssertion(settings, client, credentials.proof, spentAssertions);
      return client;
    case 'none':
      return client;
  }
}

/** More than one method in a request is an error (RFC 6749 §2.3). */
function readCredentials(authorization: string | null, form: URLSearchParams): Credentials {
  const found: Credentials[] = [];
  const clientId = form.get('client_id');
  const assertion = form.get('client_assertion');
  const secret = form.get('client_secret');
  if (authorization !== null) found.push(readBasic(authorization));
  if (secret !== null) found.push({ method: 'client_secret_post', clientId, proof: secret });
  if (assertion !== null) found.push(readAssertion(assertion, form));
  if (found.length > 1) throw refusal('more than one way of client authentication');
  return found[0] ?? { method: 'none', clientId, proof: '' };
}

/** Name and secret are form-encoded before they are joined (RFC 6749 §2.3.1). */
function readBasic(authorization: string): Credentials {
  const [, encoded] = /^Basic ([A-Za-z0-9+/=]+)$/i.exec(authorization) ?? [];
  if (encoded === undefined) throw refusal('Authorization header is not Basic');
  const [, id, secret] = /^([^:]*):(.*)$/s.exec(atob(encoded)) ?? [];
  if (id === undefined || secret === undefined) throw refusal('Basic credentials without a colon');
  return { method: 'client_secret_basic', clientId: formDecode(id), proof: formDecode(secret) };
}

function readAssertion(assertion: string, form: URLSearchParams): Credentials {
  if (form.get('client_assertion_type') !== ASSERTION_TYPE) throw refusal('wrong client_assertion_type');
  const subject = decodeAssertion(assertion).sub ?? null;
  if (form.has('client_id') && form.get('client_id') !== subject) throw refusal('client_id differs from the assertion');
  return { method: 'private_key_jwt', clientId: subject, proof: assertion };
}

function decodeAssertion(assertion: string): JWTPayload {
  try {
    return decodeJwt(assertion);
  } catch (cause) {
    throw refusal(`client_assertion is not a JWT: ${String(cause)}`);
  }
}

/** RFC 7523 §3. */
async function checkAssertion(
  settings: FakeProviderSettings,
  client: FakeClient,
  assertion: string,
  spent: Set<string>,
): Promise<void> {
  const expected = {
    issuer: client.client_id,
    subject: client.client_id,
    audience: [settings.issuer, settings.endpoints.token],
    requiredClaims: ['exp', 'jti'],
    currentDate: settings.now(),
  };
  const payload = await verifyAssertion(client, assertion, expected).catch((cause: unknown) => {
    throw refusal(`client_assertion: ${cause instanceof Error ? cause.message : String(cause)}`);
  });
  const jti = String(payload.jti);
  if (spent.has(jti)) throw refusal('client_assertion was used before');
  spent.add(jti);
}

async function verifyAssertion(
  client: FakeClient,
  assertion: string,
  expected: Parameters<typeof jwtVerify>[2],
): Promise<JWTPayload> {
  if (client.token_endpoint_auth_method === 'client_secret_jwt') {
    const key = new TextEncoder().encode(client.client_secret);
    return (await jwtVerify(assertion, key, { ...expected, algorithms: ['HS256', 'HS384', 'HS512'] })).payload;
  }
  return (await jwtVerify(assertion, createLocalJWKSet(client.jwks ?? { keys: [] }), expected)).payload;
}

function formDecode(text: string): string {
  return new URLSearchParams(`v=${text.replaceAll('&', '%26')}`).get('v') ?? '';
}

function refusal(description: string): OAuthFailure {
  return new OAuthFailure('invalid_client', description, {
    status: 401,
    headers: { 'www-authenticate': 'Basic realm="fake provider"' },
  });
}
