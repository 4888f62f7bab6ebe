import { ask, ClientFetchError } from './ask.ts';

/** What `signIn` tells with `redirect: false`. */
export interface SignInResponse {
  /** Why it failed, as on the sign-in page; `undefined` after a success. */
  error: string | undefined;
  /** The `code` of a `CredentialsSignin`; else `undefined`. */
  code: string | undefined;
  /** Status of the HTTP answer; 200 for a refusal, too. */
  status: number;
  /** The sign-in has succeeded, or has been started. */
  ok: boolean;
  /** Where to go next; `null` after a failure. */
  url: string | null;
}

/** What a form of ours led to, and where its visitor is to go in either case. */
export interface Posted {
  readonly result: SignInResponse;
  readonly target: string;
}

/**
 * Sends a form to one of our actions, and asks to be told where to go instead of being sent there.
 *
 * @param fields `undefined` and `null` are left out.
 * @throws {ClientFetchError} when the answer does not say where to go.
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
  // A return address may carry `error` as well: only a refusal comes without the header.
  const told = (name: string) => (!response.headers.has('location') && searchParams.get(name)) || undefined;
  const error = told('error');
  const ok = response.ok && !error;
  return { target: href, result: { error, code: told('code'), status: response.status, ok, url: ok ? href : null } };
}

/** Fields as a form has them; `undefined` and `null` are left out. */
export function formOf(fields: Record<string, unknown>): URLSearchParams {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null);
  // Values become text as `String` makes it.
  return new URLSearchParams(given as [string, string][]);
}
