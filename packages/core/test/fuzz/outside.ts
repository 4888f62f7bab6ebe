import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { CLIENT_SECRET, NOW, SERVER_MARK, VISITOR_MARK } from './marks.ts';

/** Endpoints of a provider that an application asks. */
export type Endpoint = 'discovery' | 'jwks' | 'token' | 'userinfo';

/** An issued code, with the request that it belongs to. */
interface Grant {
  readonly challenge: string | null;
  readonly redirectUri: string | null;
  readonly nonce: string | null;
}

/** Returns the response to send in place of the correct one. `undefined` keeps the correct one. */
export type Misanswer = (endpoint: Endpoint, right: () => Response) => Response | undefined;

const SECONDS = Math.floor(NOW.getTime() / 1000);

/**
 * A provider without network. It always gives the same response to the same request. Codes stay valid, so that a
 * recorded callback can be sent repeatedly. Code, verifier, redirect URI, client and token must be correct.
 */
export class Outside {
  readonly issuer: string;
  /** The issued codes. Applications with the same configuration share them. */
  readonly #grants: Map<string, Grant>;
  readonly #misanswer: { now: Misanswer | undefined } = { now: undefined };
  /** Code verifiers that it was sent. */
  readonly verifiers: Set<string> = new Set();

  /** @param like Another one, whose codes are good here, too. */
  constructor(issuer: string, like?: Outside) {
    this.issuer = issuer;
    this.#grants = like ? like.#grants : new Map();
  }

  /** Lets other answers stand in; `undefined` ends that. */
  misanswer(misanswer: Misanswer | undefined): void {
    this.#misanswer.now = misanswer;
  }

  /** The visitor agrees; returns the callback's parameters. */
  authorize(address: string): URLSearchParams {
    const { searchParams: asked } = new URL(address);
    const code = `${VISITOR_MARK}-code-${this.#grants.size}`;
    const [challenge, redirectUri, nonce] = ['code_challenge', 'redirect_uri', 'nonce'].map((name) => asked.get(name));
    this.#grants.set(code, { challenge: challenge ?? null, redirectUri: redirectUri ?? null, nonce: nonce ?? null });
    return new URLSearchParams({ code, state: asked.get('state') ?? '', iss: this.issuer });
  }

  /** Stands in for the global `fetch`. */
  readonly fetch: typeof globalThis.fetch = async (input, init) => {
    // As the global one: what cannot stand in a header is refused here.
    const request = new Request(input, init);
    const endpoint = this.#endpointAt(request.url);
    if (endpoint === undefined) throw new TypeError('fetch failed');
    const form = new URLSearchParams(endpoint === 'token' ? await request.text() : '');
    const verifier = form.get('code_verifier');
    if (verifier !== null) this.verifiers.add(verifier);
    const right = (): Response => this.#answer(endpoint, request, form);
    return this.#misanswer.now?.(endpoint, right) ?? right();
  };

  /** Returns the claims about Ada for this code. */
  claims(code = ''): Record<string, unknown> {
    const nonce = this.#grants.get(code)?.nonce;
    return {
      iss: this.issuer,
      aud: 'client',
      sub: 'ada-1815',
      iat: SECONDS,
      exp: SECONDS + 3600,
      ...(nonce && { nonce }),
      name: 'Ada Lovelace',
      email: 'ada@example.com',
      email_verified: true,
    };
  }

  #endpointAt(url: string): Endpoint | undefined {
    const path = url.startsWith(this.issuer) ? url.slice(this.issuer.length).split('?')[0] : undefined;
    return path === '/.well-known/openid-configuration' ? 'discovery' : PATHS.find((name) => path === `/${name}`);
  }

  #answer(endpoint: Endpoint, request: Request, form: URLSearchParams): Response {
    switch (endpoint) {
      case 'discovery':
        return Response.json(this.#metadata());
      case 'jwks':
        return Response.json({ keys: [publicKey] });
      case 'token':
        return this.#exchange(request, form);
      case 'userinfo':
        return request.headers.get('authorization') === `Bearer ${ACCESS_TOKEN}`
          ? Response.json({ ...this.claims(), id: 'ada-1815' })
          : Response.json({ error: 'invalid_token' }, { status: 401 });
    }
  }

  #metadata(): Record<string, unknown> {
    const at = (path: string): string => `${this.issuer}/${path}`;
    return {
      issuer: this.issuer,
      authorization_endpoint: at('authorize'),
      token_endpoint: at('token'),
      userinfo_endpoint: at('userinfo'),
      jwks_uri: at('jwks'),
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['ES256'],
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
    };
  }

  #exchange(request: Request, form: URLSearchParams): Response {
    const code = form.get('code') ?? '';
    const grant = this.#grants.get(code);
    const hash = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    const isClient = request.headers.get('authorization') === BASIC;
    const fits = grant && (grant.challenge === null || grant.challenge === hash);
    if (!isClient || !fits || grant.redirectUri !== form.get('redirect_uri'))
      return Response.json({ error: 'invalid_grant' }, { status: 400 });
    return Response.json({ ...tokens, id_token: signed(this.claims(code)) });
  }
}

const PATHS = ['jwks', 'token', 'userinfo'] as const;
const ACCESS_TOKEN = `${SERVER_MARK}-access`;
/** The token endpoint's answer, but for the ID token. */
const tokens = {
  access_token: ACCESS_TOKEN,
  refresh_token: `${SERVER_MARK}-refresh`,
  token_type: 'bearer',
  expires_in: 3600,
  scope: 'openid profile email',
};
const BASIC = `Basic ${Buffer.from(`client:${CLIENT_SECRET}`).toString('base64')}`;

const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
/** With what the signatures are verified. */
export const verifyingKey: KeyObject = pair.publicKey;
const publicKey = { ...pair.publicKey.export({ format: 'jwk' }), kid: 'key', alg: 'ES256', use: 'sig' };

/** Returns an ID token with any claims and a valid signature of the provider (RFC 7515 §7.1). */
export function signed(claims: unknown, header: object = {}): string {
  const encode = (value: unknown): string => Buffer.from(JSON.stringify(value) ?? '').toString('base64url');
  const text = `${encode({ alg: 'ES256', kid: 'key', ...header })}.${encode(claims)}`;
  const signature = sign('sha256', Buffer.from(text), { key: pair.privateKey, dsaEncoding: 'ieee-p1363' });
  return `${text}.${signature.toString('base64url')}`;
}
