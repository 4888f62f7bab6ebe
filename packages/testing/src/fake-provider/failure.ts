/** An OAuth error response of the provider (RFC 6749 §5.2, RFC 6750 §3). */
export class OAuthFailure extends Error {
  /** `OAuthFailure`. */
  override readonly name = 'OAuthFailure';
  /** The error code, such as `invalid_grant`. */
  readonly error: string;
  /** HTTP status of the response. Default: 400. */
  readonly status: number;
  /** Headers of the response, such as `WWW-Authenticate`. Default: none. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    error: string,
    description: string,
    { status = 400, headers = {} }: { status?: number; headers?: Record<string, string> } = {},
  ) {
    super(description);
    this.error = error;
    this.status = status;
    this.headers = headers;
  }

  /** Returns the error as JSON, as token endpoints do. */
  toResponse(): Response {
    return noStore(
      { error: this.error, error_description: this.message },
      { status: this.status, headers: this.headers },
    );
  }
}

/** Returns a JSON response that must not be cached (RFC 6749 §5.1). */
export function noStore(
  body: unknown,
  { status = 200, headers = {} }: { status?: number; headers?: Readonly<Record<string, string>> } = {},
): Response {
  return Response.json(body, { status, headers: { 'cache-control': 'no-store', ...headers } });
}
