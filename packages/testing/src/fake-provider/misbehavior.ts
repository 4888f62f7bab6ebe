import type { CallbackParameters } from './authorize.ts';
import type { IdTokenOverride } from './signed-tokens.ts';

/**
 * The ways in which a provider misbehaves; the argument of `provider.misbehave()`. Each member is about one response of
 * the provider. Members can be combined.
 *
 * For `discovery`, `authorization`, `jwks`, `token` and `userinfo` a `Fault` changes the status, the JSON or the
 * transfer.
 */
export interface Misbehavior extends Faults {
  /** Changes to the parameters of the authorization response. */
  callback?: CallbackParameters | undefined;
  /** Changes to the ID token: its claims, its header, its signature. */
  idToken?: IdTokenOverride | undefined;
  /** The same for the userinfo answer of a provider with the option `signedUserinfo`. */
  userinfoToken?: IdTokenOverride | undefined;
  /** Redirects visitors to another provider, whose response returns to the application (mix-up, RFC 9700 §4.4). */
  mixUp?: MixUp | undefined;
}

/** The other provider of a mix-up attack. */
export interface MixUp {
  /** The provider that responds. */
  readonly to: AnsweringProvider;
  /** Parameters of the authorization request that change: `client_id`, `redirect_uri`. Default: none. */
  readonly parameters?: Readonly<Record<string, string>>;
}

/** A provider to which visitors can be redirected: another `FakeProvider`. */
export interface AnsweringProvider {
  /** The absolute URL of its authorization endpoint. */
  readonly endpoints: { readonly authorization: string };
  /** Opens an authorization address as a visitor who agrees. Returns the callback URL to which it redirects. */
  authorize(url: string | URL): Promise<string>;
}

/** Returns the address at the other provider to which a visitor is redirected. Pure. */
export function sentOn(asked: URL, { to, parameters = {} }: MixUp): URL {
  const url = new URL(to.endpoints.authorization);
  url.search = asked.search;
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url;
}

/** Changes to otherwise correct responses; `provider.misbehave()` sets some of them. */
export interface Overrides {
  /** ID tokens; see `idTokenFaults`. */
  idToken?: IdTokenOverride | undefined;
  /** Signed userinfo answers. */
  userinfoToken?: IdTokenOverride | undefined;
  /** Parameters of authorization responses. */
  callback?: CallbackParameters | undefined;
  /** The provider to which visitors are redirected. */
  mixUp?: MixUp | undefined;
  /** The JSON of the token endpoint. */
  token?: Change | undefined;
  /** The JSON of the userinfo endpoint. */
  userinfo?: Change | undefined;
  /** The discovery document. */
  discovery?: Change | undefined;
}

/**
 * Changes to a correct JSON object: members to set (`undefined` removes one), or a function from the correct object to
 * the object that is sent.
 */
export type Change =
  | Readonly<Record<string, unknown>>
  | ((right: Readonly<Record<string, unknown>>) => Record<string, unknown>);

/** Returns the changed object. Pure. */
export function changed(right: Readonly<Record<string, unknown>>, change: Change | undefined): Record<string, unknown> {
  if (typeof change === 'function') return change(right);
  return { ...right, ...change };
}

/** A fault in a response. Members can be combined. */
export interface Fault {
  /** The status. Without `body` the correct body stays. */
  status?: number;
  /** Headers to set; an empty value removes a header. */
  headers?: Readonly<Record<string, string>>;
  /** The body. Bytes are sent as they are, other objects as JSON. */
  body?: string | Uint8Array | object;
  /** Changes to the correct JSON: members to set (`undefined` removes one), or a function. */
  json?: Change;
  /** Redirects to this address, with the status 302 unless `status` is set. */
  redirect?: string;
  /** Milliseconds before the response begins; `forever` waits until the request is aborted. */
  delay?: number | 'forever';
  /** Sends the body byte by byte, with this number of milliseconds between two bytes. */
  drip?: number;
  /** Sends this number of spaces before the body: a JSON body stays valid but becomes large. */
  padding?: number;
  /** Sends the body, then an endless sequence of spaces. */
  endless?: boolean;
  /** Closes the connection after this number of bytes of the body. */
  cut?: number;
  /** Closes the connection before the response: `fetch` rejects with a `TypeError`, or with the given error. */
  throw?: true | Error;
  /** The number of requests that are affected. Default: all. */
  times?: number;
}

/** A fault, or a function that returns one for each request. `count` is 1 for the first request to the endpoint. */
export type FaultSource = Fault | ((request: Request, count: number) => Fault | undefined);

/** Endpoints that can fail. */
export type FaultyEndpoint = 'discovery' | 'authorization' | 'jwks' | 'token' | 'userinfo';

/** The fault of each endpoint. A test may assign and delete members. */
export type Faults = { [Endpoint in FaultyEndpoint]?: FaultSource | undefined };

const PADDING = 0x20;
const CHUNK = 16 * 1024;

/** Returns the fault of a request, or undefined if it has no fault. `met` counts how often each fault has occurred. */
export function faultFor(
  source: FaultSource | undefined,
  request: Request,
  count: number,
  met: Map<Fault, number>,
): Fault | undefined {
  const fault = typeof source === 'function' ? source(request, count) : source;
  if (!fault) return undefined;
  const before = met.get(fault) ?? 0;
  met.set(fault, before + 1);
  return before < (fault.times ?? Number.POSITIVE_INFINITY) ? fault : undefined;
}

/**
 * Returns a response with a fault. The correct response is only computed if the fault uses it.
 *
 * @throws The error of `fault.throw`, or the signal's reason if the request is aborted meanwhile.
 */
export async function applyFault(fault: Fault, signal: AbortSignal, right: () => Promise<Response>): Promise<Response> {
  if (fault.delay !== undefined) await waitFor(fault.delay, signal);
  if (fault.throw) throw fault.throw === true ? networkError('connection reset by the fake provider') : fault.throw;
  const response = replaced(
    fault,
    fault.redirect === undefined && fault.body === undefined ? await changedJson(fault, await right()) : undefined,
  );
  if (fault.drip === undefined && fault.cut === undefined && !fault.padding && !fault.endless) return response;
  const bytes = new Uint8Array(await response.arrayBuffer());
  return new Response(slowBody(fault, bytes, signal), response);
}

/** Returns the error that `fetch` throws if a host does not respond. */
export function networkError(reason: string): TypeError {
  return new TypeError('fetch failed', { cause: new Error(reason) });
}

/** Returns the correct response with changed JSON. Another content type stays as it is. */
async function changedJson({ json }: Fault, right: Response): Promise<Response> {
  if (json === undefined || !right.headers.get('content-type')?.startsWith('application/json')) return right;
  const body: Record<string, unknown> = JSON.parse(await right.text());
  return new Response(JSON.stringify(changed(body, json)), right);
}

function replaced({ status, headers = {}, body, redirect }: Fault, right: Response | undefined): Response {
  const content = right ? right.body : contentOf(body);
  const answerHeaders = new Headers(
    right?.headers ?? (redirect === undefined ? { 'content-type': 'application/json' } : { location: redirect }),
  );
  for (const [name, value] of Object.entries(headers)) {
    if (value === '') answerHeaders.delete(name);
    else answerHeaders.set(name, value);
  }
  const answerStatus = status ?? right?.status ?? (redirect === undefined ? 200 : 302);
  // The constructor of Response refuses a body with these statuses.
  return new Response([204, 205, 304].includes(answerStatus) ? null : content, {
    status: answerStatus,
    headers: answerHeaders,
  });
}

function contentOf(body: Fault['body']): BodyInit | null {
  if (body instanceof Uint8Array) return new Uint8Array(body);
  return typeof body === 'object' ? JSON.stringify(body) : (body ?? null);
}

function slowBody(
  { drip, padding = 0, endless = false, cut = Number.POSITIVE_INFINITY }: Fault,
  bytes: Uint8Array,
  signal: AbortSignal,
): ReadableStream<Uint8Array> {
  let spaces = padding;
  let sent = 0;
  return new ReadableStream<Uint8Array>({
    async pull(controller): Promise<void> {
      if (signal.aborted) return controller.error(signal.reason);
      if (drip !== undefined) await waitFor(drip, signal);
      const size = drip === undefined ? CHUNK : 1;
      if (sent >= cut) return controller.error(networkError('connection reset by the fake provider'));
      if (spaces > 0) {
        controller.enqueue(new Uint8Array(Math.min(size, spaces)).fill(PADDING));
        spaces -= size;
      } else if (sent < bytes.length) {
        const end = Math.min(sent + size, cut);
        controller.enqueue(bytes.slice(sent, end));
        sent = end;
      } else if (endless) {
        controller.enqueue(new Uint8Array(size).fill(PADDING));
      } else {
        controller.close();
      }
    },
  });
}

/** Waits. @throws The signal's reason if the signal is aborted first. */
function waitFor(delay: number | 'forever', signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const timer = delay === 'forever' ? undefined : setTimeout(() => finish(resolve), delay);
    const onAbort = (): void => finish(() => reject(signal.reason));
    const finish = (settle: () => void): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      settle();
    };
    signal.addEventListener('abort', onAbort);
  });
}
