import { createHash } from 'node:crypto';
import type { Answer, Fixture, Json, Step } from './fixture.ts';
import { publishedKeys, signedToken } from './keys.ts';
import { bodyProblems, headerProblems } from './request-problems.ts';
import { filled, type Values } from './values.ts';

/** The client that every fixture is registered as. */
export const CLIENT = { clientId: 'latchkey-app', clientSecret: 'shh-client-secret' } as const;

/** The authorization code that vendors give out. */
export const CODE = 'the-authorization-code';

/** The response that fails: `discovery`, `token`, or an index of `userinfo`. */
export interface Trouble {
  at: 'discovery' | 'token' | number;
  /** `undefined`: the vendor does not respond. */
  answer: Answer | undefined;
}

/** Parameters of an authorization request. */
export interface Asked {
  readonly redirectUri: string;
  readonly nonce: string | undefined;
  readonly codeChallenge: string | undefined;
}

/** How the ID token differs from a right one. */
export interface TokenChange {
  claims?: Record<string, unknown>;
  forged?: boolean;
}

/**
 * A vendor behind `fetch`, by its fixture: an unexpected request is recorded as a problem and gets
 * the response of an unknown URL.
 */
export class Vendor {
  /** Faults of the requests so far, in words. */
  readonly problems: string[] = [];
  /** Answers of the sign-in after {@link authorized}. */
  idToken: TokenChange = {};
  trouble: Trouble | undefined;
  #asked: Asked | undefined;
  readonly #fixture: Fixture;
  readonly #now: () => Date;
  readonly #met: Set<Step> = new Set();

  constructor(fixture: Fixture, now: () => Date) {
    this.#fixture = fixture;
    this.#now = now;
  }

  /** The visitor has agreed; from now on the code can be exchanged. */
  authorized(asked: Asked): void {
    this.#asked = asked;
  }

  /** Returns the requests of the fixture that were not sent. */
  missed(): string[] {
    const { token, userinfo = [] } = this.#fixture;
    return [token, ...userinfo].filter((step) => !this.#met.has(step)).map((step) => this.#filled(step).url);
  }

  /** The tokens as the vendor sends them, but for the ID token. */
  values(): Values {
    const { answer } = this.#fixture.token;
    const token = typeof answer === 'object' && answer !== null && !Array.isArray(answer) ? answer : {};
    return {
      client_id: CLIENT.clientId,
      client_secret: CLIENT.clientSecret,
      code: CODE,
      code_hash: createHash('sha256').update(CODE).digest().subarray(0, 16).toString('base64url'),
      redirect_uri: this.#asked?.redirectUri ?? '',
      access_token: String(token['access_token'] ?? ''),
    };
  }

  readonly fetch: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(input, init);
    try {
      return await this.#answer(request);
    } catch (error) {
      if (!(error instanceof Refusal)) this.#note(request, String(error));
      throw new TypeError('fetch failed', { cause: error });
    }
  };

  async #answer(request: Request): Promise<Response> {
    const { discovery, token, userinfo = [], jwks = discovery?.answer['jwks_uri'] } = this.#fixture;
    if (discovery && request.url === discovery.url) {
      return this.#trouble('discovery') ?? toResponse({ answer: discovery.answer });
    }
    if (request.url === jwks) return Response.json(await publishedKeys(this.#alg()));
    const steps = [token, ...userinfo].map((step) => this.#filled(step));
    const index = steps.findIndex(
      (step, place) => addressOf(step, place) === `${request.method} ${new URL(request.url).href}`,
    );
    const step = steps[index];
    if (!step && request.url === discovery?.answer['userinfo_endpoint']) return this.#subject(request);
    if (!step) {
      const known = steps.map(addressOf).join(', ');
      throw this.#refuse(request, `the vendor has no such endpoint, only ${known}`);
    }
    return this.#step(request, step, index);
  }

  /** The userinfo endpoint that the fixture does not describe: it has no more claims than the ID token. */
  #subject(request: Request): Response {
    const isAllowed = request.headers.get('authorization') === `Bearer ${this.values()['access_token']}`;
    if (!isAllowed) throw this.#refuse(request, 'the access token is missing');
    return toResponse({ answer: { sub: this.#fixture.idToken?.['sub'] ?? null } });
  }

  async #step(request: Request, step: Step, index: number): Promise<Response> {
    const original = [this.#fixture.token, ...(this.#fixture.userinfo ?? [])][index] as Step;
    if (this.#met.has(original)) throw this.#refuse(request, 'asked for twice');
    this.#met.add(original);
    const isToken = index === 0;
    const body = await request.text();
    const values = { ...this.values(), challenge: this.#asked?.codeChallenge };
    const problems = [
      ...headerProblems(request, step, { isToken, values }),
      ...(await bodyProblems(body, step, { isToken, values })),
    ];
    for (const problem of problems) this.#note(request, problem);
    return this.#trouble(isToken ? 'token' : index - 1) ?? toResponse(isToken ? await this.#withIdToken(step) : step);
  }

  #trouble(at: Trouble['at']): Response | undefined {
    if (this.trouble?.at !== at) return undefined;
    if (this.trouble.answer) return toResponse(this.trouble.answer);
    throw new Refusal('the vendor cannot be reached');
  }

  #alg(): string {
    const listed = this.#fixture.discovery?.answer['id_token_signing_alg_values_supported'];
    const client = this.#fixture.idToken && (this.#fixture.idToken['$alg'] as string | undefined);
    return client ?? (Array.isArray(listed) ? String(listed[0]) : 'RS256');
  }

  async #withIdToken(step: Step): Promise<Step> {
    const { idToken, discovery } = this.#fixture;
    if (!idToken) return step;
    const { $alg: _, ...own } = idToken;
    const now = Math.floor(this.#now().getTime() / 1000);
    const nonce = this.#asked?.nonce;
    const claims = {
      iss: discovery?.answer['issuer'],
      aud: CLIENT.clientId,
      iat: now,
      exp: now + 3600,
      ...(nonce === undefined ? {} : { nonce }),
      ...(filled(own, this.values()) as object),
      ...this.idToken.claims,
    };
    const signature = { alg: this.#alg(), secret: CLIENT.clientSecret, forged: this.idToken.forged };
    const id_token = await signedToken(claims, signature);
    return { ...step, answer: { ...(step.answer as Record<string, Json>), id_token } };
  }

  #filled(step: Step): Step {
    return filled(step, this.values()) as Step;
  }

  #refuse(request: Request, problem: string): Refusal {
    this.#note(request, problem);
    return new Refusal(problem);
  }

  #note({ method, url }: Request, problem: string): void {
    this.problems.push(`${method} ${url}: ${problem}`);
  }
}

class Refusal extends Error {}

function addressOf(step: Step, index: number): string {
  return `${step.method ?? (index === 0 ? 'POST' : 'GET')} ${new URL(step.url).href}`;
}

/** An answer as it goes over the wire. */
export function toResponse({ status = 200, type = 'application/json', answer, base64 }: Answer): Response {
  if (base64 !== undefined)
    return new Response(Buffer.from(base64, 'base64'), { status, headers: { 'content-type': type } });
  return new Response(bodyOf(type, answer), { status, headers: { 'content-type': type } });
}

function bodyOf(type: string, answer: Json | undefined): string {
  if (type.startsWith('application/x-www-form-urlencoded')) {
    return new URLSearchParams(answer as Record<string, string>).toString();
  }
  return type.includes('json') ? JSON.stringify(answer ?? null) : String(answer ?? '');
}
