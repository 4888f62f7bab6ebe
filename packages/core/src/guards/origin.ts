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
  const asked = parsed(address);
  if (trusted === undefined || trusted === asked.origin) return asked;
  const url = new URL(trusted);
  // Set one by one: a path that begins with two slashes must not become a host.
  url.pathname = asked.url.pathname;
  url.search = asked.url.search;
  return { url, origin: url.origin };
}

const ADDRESSES = 64;
const LONGEST = 256;
const places = new Map<string, Place>();

/** The few addresses that nearly all requests have are parsed once. Nobody writes to the `URL`. */
function parsed(address: string): Place {
  const known = places.get(address);
  if (known) return known;
  const url = new URL(address);
  const place: Place = { url, origin: url.origin };
  if (url.search !== '' || address.length > LONGEST) return place;
  if (places.size >= ADDRESSES) places.clear();
  places.set(address, place);
  return place;
}
