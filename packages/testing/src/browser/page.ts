import type { SetCookie } from './set-cookie.ts';

/** What a browser got for one request; the body has been read. */
export interface Page {
  readonly status: number;
  /** The address asked for. */
  readonly url: string;
  /** The request as it was sent, without its body. */
  readonly request: SentRequest;
  readonly headers: Headers;
  /** The `Location` header as it came; `undefined` when there is none. */
  readonly location: string | undefined;
  /** Where a 3xx answer with a `Location` leads, absolute; `undefined` for every other answer. */
  readonly redirect: URL | undefined;
  /** The cookies of this answer in their order, also those that were refused. */
  readonly setCookies: readonly SetCookie[];
  /** The last cookie of that name which this answer sets (a clearing one too). */
  cookie(name: string): SetCookie | undefined;
  text(): string;
  /**
   * The body parsed as JSON. The type parameter is a claim by the test, not a check.
   *
   * @throws {SyntaxError} when it is not JSON.
   */
  json<Shape = unknown>(): Shape;
}

/** What was sent to get a {@link Page}. */
export interface SentRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
  /** Origin of the page which started the request, kept over redirects; `undefined` for the address bar. */
  readonly initiator: string | undefined;
  /** What a redirect with 307 or 308 sends again. */
  readonly body: string | FormData | undefined;
}

/** Reads a response to its end and makes a {@link Page} of it. */
export async function readPage(
  response: Response,
  request: SentRequest,
  setCookies: readonly SetCookie[],
): Promise<Page> {
  const text = await response.text();
  const location = response.headers.get('location') ?? undefined;
  const isRedirect = [301, 302, 303, 307, 308].includes(response.status);
  return {
    status: response.status,
    url: request.url,
    request,
    headers: response.headers,
    location,
    redirect: isRedirect && location !== undefined ? new URL(location, request.url) : undefined,
    setCookies,
    cookie: (name) => setCookies.findLast((cookie) => cookie.name === name),
    text: () => text,
    json: () => JSON.parse(text),
  };
}
