import type { SetCookie } from './set-cookie.ts';

/** The response to one request; its body has been read. */
export interface Page {
  /** HTTP status, such as 200. */
  readonly status: number;
  /** The requested address. */
  readonly url: string;
  /** The request as it was sent, without its body. */
  readonly request: SentRequest;
  /** Headers of the response. */
  readonly headers: Headers;
  /** The `Location` header; `undefined` if it is absent. */
  readonly location: string | undefined;
  /** The absolute target of a redirect; `undefined` if the response is not a redirect. */
  readonly redirect: URL | undefined;
  /** The cookies that the response sets, in order, also those that the browser refused. */
  readonly setCookies: readonly SetCookie[];
  /** Returns the last cookie of this name that the response sets or clears. */
  cookie(name: string): SetCookie | undefined;
  /** Returns the body as text. */
  text(): string;
  /**
   * Returns the body, parsed as JSON. The type parameter is not checked.
   *
   * @throws {SyntaxError} if the body is not JSON.
   */
  json<Shape = unknown>(): Shape;
}

/** The request of a {@link Page}. */
export interface SentRequest {
  /** The HTTP method in upper case. */
  readonly method: string;
  /** The absolute URL. */
  readonly url: string;
  /** The headers, with `Cookie` and those that a browser adds, such as `Sec-Fetch-Site`. */
  readonly headers: Headers;
  /** The origin of the page that started the request, kept over redirects; `undefined` for the address bar. */
  readonly initiator: string | undefined;
  /** The body, which a redirect with 307 or 308 sends again. */
  readonly body: string | FormData | undefined;
}

/** Reads a response to its end and returns it as a {@link Page}. */
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
