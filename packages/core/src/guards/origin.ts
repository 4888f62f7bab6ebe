/** Our own address in one request. */
export interface Place {
  readonly url: URL;
  readonly origin: string;
}

/**
 * Where we are: the origin that the environment or the host names, else that of the request's address. Headers are not
 * looked at here; hosts that must read forwarded ones do so themselves and hand the result in.
 *
 * @param trusted Origin that wins over the address.
 */
export function placeOf(address: string, trusted: string | undefined): Place {
  const asked = new URL(address);
  if (trusted === undefined || trusted === asked.origin) return { url: asked, origin: asked.origin };
  const url = new URL(trusted);
  // Set one by one: a path that begins with two slashes must not become a host.
  url.pathname = asked.pathname;
  url.search = asked.search;
  return { url, origin: url.origin };
}
