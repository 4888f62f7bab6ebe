import fc from 'fast-check';
import { hostileJson, jsonText, type Members, members, withMembers } from './json-changes.ts';
import { SERVER_MARK } from './marks.ts';
import { type Endpoint, type Misanswer, signed } from './outside.ts';
import { changedText, hostileText, type TextChange, textChange } from './text-changes.ts';

/** A change of one response of the provider. */
export type ProviderChange = { readonly endpoint: Endpoint } & (
  | { readonly how: 'bytes'; readonly text: string }
  | { readonly how: 'json'; readonly value: unknown }
  | { readonly how: 'members'; readonly members: Members }
  | { readonly how: 'text'; readonly change: TextChange }
  | { readonly how: 'status'; readonly status: number; readonly location: string }
  | { readonly how: 'type'; readonly type: string }
  | { readonly how: 'claims'; readonly claims: Members; readonly header: Members }
  | { readonly how: 'access'; readonly token: string }
  | { readonly how: 'fails' }
);

const NAMES: Readonly<Record<Endpoint, readonly string[]>> = {
  discovery: ['issuer', 'authorization_endpoint', 'token_endpoint', 'userinfo_endpoint', 'jwks_uri', 'code_challenge_methods_supported', 'authorization_response_iss_parameter_supported', 'id_token_signing_alg_values_supported'],
  jwks: ['keys'],
  token: ['access_token', 'id_token', 'refresh_token', 'token_type', 'expires_in', 'scope', 'error', 'userId', 'provider', 'type', 'providerAccountId'],
  userinfo: ['sub', 'id', 'email', 'email_verified', 'name', 'picture', 'image', 'preferred_username', 'nickname', 'login'],
}; // biome-ignore format: a table
const CLAIMS = [
  'iss', 'aud', 'sub', 'exp', 'iat', 'nbf', 'nonce', 'azp', 'at_hash', 'auth_time', 'amr', 'email', 'email_verified',
  'name', 'picture',
]; // biome-ignore format: a list to be read across
const HEADER = ['alg', 'kid', 'typ', 'crit', 'jwk', 'jku', 'x5c', 'b64'];
const STATUSES = [200, 201, 204, 205, 301, 302, 303, 304, 307, 308, 400, 401, 403, 404, 429, 500, 503, 599];
const TYPES = [
  'text/html', 'application/jwt', 'application/json; charset=utf-16', 'application/x-www-form-urlencoded', '',
  'APPLICATION/JSON', 'application/problem+json',
]; // biome-ignore format: a list to be read across

const endpoints = fc.constantFrom<Endpoint>('discovery', 'jwks', 'token', 'token', 'token', 'userinfo', 'userinfo');

export const providerChange: fc.Arbitrary<ProviderChange> = endpoints.chain((endpoint) => {
  const change = <H extends ProviderChange['how'], T>(
    weight: number,
    how: H,
    more: { [K in keyof T]: fc.Arbitrary<T[K]> },
  ) => ({
    weight,
    arbitrary: fc.record(more).map((members) => ({ endpoint, how, ...members })),
  });
  const forToken = endpoint === 'token' ? 1 : 0;
  return fc.oneof(
    change(1, 'bytes', { text: hostileText }),
    change(2, 'json', { value: hostileJson }),
    change(6, 'members', { members: members(NAMES[endpoint]) }),
    change(3, 'text', { change: textChange }),
    change(1, 'status', { status: fc.constantFrom(...STATUSES), location: hostileText }),
    change(1, 'type', { type: fc.constantFrom(...TYPES) }),
    change(1, 'fails', {}),
    change(2 * forToken, 'access', { token: hostileText }),
    change(8 * forToken, 'claims', {
      claims: members(CLAIMS),
      header: fc.oneof({ weight: 4, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: members(HEADER) }),
    }),
  );
});

/** The token endpoint's answer as it went out. */
export interface Told {
  token?: { readonly status: number; readonly text: string };
}

/**
 * A provider that makes these changes, one after the other.
 *
 * @param claims The correct claims of its ID token.
 * @param told Where its last answer of the token endpoint is kept.
 */
export function misanswerOf(changes: readonly ProviderChange[], claims: object, told: Told): Misanswer {
  return (endpoint, right) => {
    const mine = changes.filter((change) => change.endpoint === endpoint);
    if (mine.some(({ how }) => how === 'fails')) throw new TypeError('fetch failed');
    const answer = mine.reduce((plain, change) => changed(plain, change, claims), plainOf(right()));
    const { status, headers } = answer;
    return toResponse(endpoint, { status, headers, body: answer.body }, told, right);
  };
}

interface Plain {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** `undefined`: as the right answer has it. */
  readonly body: ((right: string) => string) | undefined;
}

function plainOf({ status, headers }: Response): Plain {
  return { status, headers: Object.fromEntries(headers), body: undefined };
}

function changed(plain: Plain, change: ProviderChange, claims: object): Plain {
  const before = plain.body ?? ((text) => text);
  const body = (work: (text: string) => string): Plain => ({ ...plain, body: (text) => work(before(text)) });
  switch (change.how) {
    case 'bytes':
      return body(() => change.text);
    case 'json':
      return body(() => jsonText(change.value));
    case 'members':
      return body((text) => jsonText(withMembers(objectOf(text), change.members)));
    case 'text':
      return body((text) => changedText(text, change.change));
    case 'access':
      return body((text) => jsonText({ ...objectOf(text), access_token: `${SERVER_MARK}${change.token}` }));
    case 'claims': {
      const id_token = signed(withMembers(claims, change.claims), withMembers({}, change.header));
      return body((text) => jsonText({ ...objectOf(text), id_token }));
    }
    case 'status':
      return { ...plain, status: change.status, headers: { ...plain.headers, ...locationOf(change.location) } };
    case 'type':
      return { ...plain, headers: { ...plain.headers, 'content-type': change.type } };
    case 'fails':
      return plain;
  }
}

function locationOf(text: string): Record<string, string> {
  const location = text.replace(/[^\x20-\x7e]/g, '').trim();
  return location === '' ? {} : { location };
}

function objectOf(text: string): object {
  try {
    return Object(JSON.parse(text)) as object;
  } catch {
    return {};
  }
}

/** Reads the body only when it is used, because this function is synchronous. */
function toResponse(endpoint: Endpoint, { status, headers, body }: Plain, told: Told, right: () => Response): Response {
  const stream = new ReadableStream<Uint8Array>({
    async start(controller) {
      const text = await right().text();
      const changedBody = body ? body(text) : text;
      if (endpoint === 'token') told.token = { status, text: changedBody };
      controller.enqueue(new TextEncoder().encode(changedBody));
      controller.close();
    },
  });
  const isEmpty = status === 204 || status === 205 || status === 304;
  return new Response(isEmpty ? null : stream, { status, headers });
}
