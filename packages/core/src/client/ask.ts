/** A request without a usable answer: no network, a timeout, a server that fails. */
export class ClientFetchError extends Error {
  /** `ClientFetchError`, which identifies the error where `instanceof` cannot. */
  override name = 'ClientFetchError';
  /** HTTP status of the answer; `undefined` if there was no answer. */
  readonly status: number | undefined;

  constructor(address: string, status?: number, cause?: unknown) {
    super(`${address}: ${status ?? 'no answer'}`, { cause });
    this.status = status;
  }
}

/**
 * Requests JSON from an action.
 *
 * ```ts
 * const providers = await askFor('/auth/providers');
 * ```
 *
 * @throws {ClientFetchError} If there is no answer, its status is not a success, or its body is not JSON.
 */
export async function askFor(address: string, init?: RequestInit): Promise<unknown> {
  const { response, body } = await ask(address, init);
  if (!response.ok) throw new ClientFetchError(address, response.status);
  return body;
}

/** An answer with a JSON body, of any status. */
interface Answer {
  readonly response: Response;
  readonly body: unknown;
}

async function ask(address: string, init?: RequestInit): Promise<Answer> {
  let status: number | undefined;
  try {
    const response = await fetch(address, init);
    status = response.status;
    return { response, body: await response.json() };
  } catch (cause) {
    throw new ClientFetchError(address, status, cause);
  }
}

/** The result of `signIn` with `redirect: false`. */
export interface SignInResponse {
  /** Code of the failure, as in the query of the sign-in page; `undefined` after a success. */
  error: string | undefined;
  /**
   * The `code` of a `CredentialsSignin`. After a wrong code of a mail, `1` if the visitor can try again. Otherwise
   * `undefined`.
   */
  code: string | undefined;
  /** HTTP status of the answer. A refused sign-in has 200, too. */
  status: number;
  /** Whether the sign-in succeeded, or was started. */
  ok: boolean;
  /** Where to go next; `null` after a failure. */
  url: string | null;
}

/** The answer to a form. */
export interface Posted {
  /** The result for the caller, with `ok`, `status`, `error` and `code`. */
  readonly result: SignInResponse;
  /** Where the visitor has to go, after a success and after a failure. */
  readonly target: string;
}

/**
 * Sends a form to an action. The action answers with an address instead of a redirect.
 *
 * ```ts
 * const { result, target } = await post('/auth/signout', { csrfToken });
 * ```
 *
 * @param fields The fields; `undefined` and `null` are left out.
 * @throws {ClientFetchError} If there is no answer, or the answer has no address.
 */
export async function post(address: string, fields: Record<string, unknown>): Promise<Posted> {
  const { response, body } = await ask(address, {
    method: 'POST',
    headers: { 'x-auth-return-redirect': '1' },
    body: formOf(fields),
  });
  const url = (body as { url?: string } | null)?.url;
  if (!url) throw new ClientFetchError(address, response.status);
  const { href, searchParams } = new URL(url, location.href);
  // A callback URL may have a parameter `error`, too. Only an answer without the header is a failure.
  const failureParam = (name: string) => (!response.headers.has('location') && searchParams.get(name)) || undefined;
  const error = failureParam('error');
  const code = failureParam('code');
  const ok = response.ok && !error;
  return { target: href, result: { error, code, status: response.status, ok, url: ok ? href : null } };
}

/** Returns fields as a form sends them; `undefined` and `null` are left out. */
export function formOf(fields: Record<string, unknown>): URLSearchParams {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null);
  // `URLSearchParams` turns each value into text.
  return new URLSearchParams(given as [string, string][]);
}

/**
 * Opens another page. Reloads this one if the absolute address differs from its own in the fragment only.
 *
 * ```ts
 * leaveFor('https://example.com/account');
 * ```
 */
export function leaveFor(address: string): void {
  location.href = address;
  // An address within this page has changed already, and the browser does nothing else.
  if (address.includes('#') && location.href === address) location.reload();
}
