import { type Change, changed } from './change.ts';

/** Something that goes wrong with an answer. Several members may be combined. */
export interface Fault {
  /** Status in place of the right one; without `body` the right body stays. */
  status?: number;
  /** Headers to set on the answer; an empty value removes one. */
  headers?: Readonly<Record<string, string>>;
  /** Body in place of the right one; bytes are sent as they are, other objects become JSON. */
  body?: string | Uint8Array | object;
  /** Changes the JSON of the right answer: members to set (`undefined` leaves one out), or a function. */
  json?: Change;
  /** Answers with a redirect (302 unless `status` says otherwise) to this address. */
  redirect?: string;
  /** Milliseconds before the answer begins; `forever` never answers (until the request is aborted). */
  delay?: number | 'forever';
  /** Sends the body byte by byte with that many milliseconds between two. */
  drip?: number;
  /** Puts that many spaces before the body: a JSON body stays valid but gets huge. */
  padding?: number;
  /** Sends the body, then spaces without end. */
  endless?: boolean;
  /** Breaks the connection off after that many bytes of the body. */
  cut?: number;
  /** Breaks the connection off before any answer: a `TypeError` as `fetch` throws it, or the given error. */
  throw?: true | Error;
  /** How many requests it meets; afterwards all is well. Default: every one. */
  times?: number;
}

/** A fault, or a function which decides per request (`count` is 1 for the first request to that endpoint). */
export type FaultSource = Fault | ((request: Request, count: number) => Fault | undefined);

/** Endpoints that can fail. */
export type FaultyEndpoint = 'discovery' | 'authorization' | 'jwks' | 'token' | 'userinfo';

/** What goes wrong where; assign and delete freely. */
export type Faults = { [Endpoint in FaultyEndpoint]?: FaultSource | undefined };

const PADDING = 0x20;
const CHUNK = 16 * 1024;

/** The fault that meets this request, if any. `met` counts how often each one has been used. */
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
 * Spoils an answer. The right one is only computed when the fault lets it through.
 *
 * @throws what `fault.throw` says, or the signal's reason when the request is aborted while waiting.
 */
export async function applyFault(fault: Fault, signal: AbortSignal, right: () => Promise<Response>): Promise<Response> {
  if (fault.delay !== undefined) await waitFor(fault.delay, signal);
  if (fault.throw) throw fault.throw === true ? networkError('connection reset by the fake provider') : fault.throw;
  const response = replaced(
    fault,
    fault.redirect === undefined && fault.body === undefined ? await bent(fault, await right()) : undefined,
  );
  if (fault.drip === undefined && fault.cut === undefined && !fault.padding && !fault.endless) return response;
  const bytes = new Uint8Array(await response.arrayBuffer());
  return new Response(slowBody(fault, bytes, signal), response);
}

/** What `fetch` throws when there is no answer. */
export function networkError(reason: string): TypeError {
  return new TypeError('fetch failed', { cause: new Error(reason) });
}

/** The right answer with other JSON. An answer that is no JSON object stays as it is. */
async function bent({ json }: Fault, right: Response): Promise<Response> {
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
  // These statuses may not carry a body; the constructor of Response insists on it.
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

/** @throws the signal's reason when it is aborted first. */
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
