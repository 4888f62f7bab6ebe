import { messageOf } from '../terminal.ts';

/** Limits of every request. */
const SECONDS = 10;
const BYTES = 1_048_576;

/** The answer to a request, or the reason why it failed. */
export type Answer =
  | {
      readonly ok: true;
      readonly status: number;
      readonly headers: Headers;
      readonly body: string;
      /** Seconds by which the server's clock is ahead; `undefined` without a `Date` header. */
      readonly skew: number | undefined;
    }
  | { readonly ok: false; readonly reason: string };

/** Sends a GET request: at most 10 seconds, at most 1 MiB, without following redirects. */
export async function get(url: string, base: typeof fetch = fetch, init: RequestInit = {}): Promise<Answer> {
  const begun = Date.now();
  try {
    const response = await base(url, {
      ...init,
      redirect: 'manual',
      signal: AbortSignal.timeout(SECONDS * 1000),
      headers: { accept: 'application/json, */*;q=0.5', 'user-agent': 'latchkey-cli', ...init.headers },
    });
    const body = await bodyOf(response);
    return { ok: true, status: response.status, headers: response.headers, body, skew: skewOf(response, begun) };
  } catch (error) {
    return { ok: false, reason: reasonOf(error) };
  }
}

async function bodyOf(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > BYTES) throw new Error('the answer is larger than 1 MiB');
    chunks.push(chunk);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}

/** A server writes its clock without milliseconds, at some time during the request. */
function skewOf(response: Response, begun: number): number | undefined {
  const date = Date.parse(response.headers.get('date') ?? '');
  if (Number.isNaN(date)) return undefined;
  const now = Date.now();
  if (date + 1000 >= begun && date <= now) return 0;
  return Math.round((date - (date > now ? now : begun)) / 1000);
}

function reasonOf(error: unknown): string {
  if (error instanceof Error && error.name === 'TimeoutError') return `no answer within ${SECONDS} s`;
  const { cause } = error as { cause?: unknown };
  const code = cause instanceof Error ? (cause as { code?: unknown }).code : undefined;
  if (typeof code === 'string') return `failed (${code})`;
  return `failed (${messageOf(cause instanceof Error ? cause : error)})`;
}

/** Returns an object of JSON; `undefined` for other texts. */
export function jsonObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

/** Does a URL name this machine? */
export function isLoopback(url: unknown): boolean {
  const { hostname } = new URL(String(url));
  return hostname === 'localhost' || hostname === '[::1]' || /^127\./.test(hostname) || hostname.endsWith('.localhost');
}
