import type { GetTokenOptions, ProviderToken } from '../types/tokens.ts';
import { isLoopback } from '../wire/bounded-fetch.ts';

/** Returns a valid token; called again with `rejected` after a 401. */
type Get = (options: GetTokenOptions) => Promise<ProviderToken>;

/** Redirects that are followed. */
const REDIRECTS = 5;

/** Sends a request with an access token; see `VisitorTokens.fetch`. */
export async function fetchWithToken(
  get: Get,
  apis: readonly string[],
  address: string | URL,
  init: RequestInit = {},
  options: GetTokenOptions = {},
): Promise<Response> {
  const url = new URL(address);
  requireApi(url, apis);
  const { accessToken } = await get(options);
  const answer = await follow(url, init, accessToken, apis);
  if (answer.status !== 401 || !isRepeatable(init.body)) return answer;
  const next = await get({ ...options, rejected: accessToken });
  if (next.accessToken === accessToken) return answer;
  await answer.body?.cancel();
  return follow(url, init, next.accessToken, apis);
}

/** @throws {TypeError} if access tokens must not be sent to a URL. */
function requireApi(url: URL, apis: readonly string[]): void {
  if (apis.some((api) => matches(url, api))) return;
  throw new TypeError(
    `access tokens of this provider must not be sent to ${url.origin}. Add it to the provider's option \`apis\``,
  );
}

/** @param api A URL, whose path is a prefix. In its host, `*.` stands for one or more labels. */
function matches(url: URL, api: string): boolean {
  const isWild = api.includes('://*.');
  const pattern = URL.canParse(api.replace('://*.', '://')) ? new URL(api.replace('://*.', '://')) : undefined;
  if (!pattern || url.protocol !== pattern.protocol || url.port !== pattern.port) return false;
  if (url.username !== '' || url.password !== '') return false;
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url.hostname))) return false;
  const hasHost = isWild ? url.hostname.endsWith(`.${pattern.hostname}`) : url.hostname === pattern.hostname;
  const path = pattern.pathname.replace(/\/$/, '');
  return hasHost && (url.pathname === path || url.pathname.startsWith(`${path}/`));
}

async function follow(first: URL, init: RequestInit, token: string, apis: readonly string[]): Promise<Response> {
  const method = (init.method ?? 'GET').toUpperCase();
  const mayFollow = (method === 'GET' || method === 'HEAD') && init.redirect !== 'manual' && init.redirect !== 'error';
  // `fetch` itself would send the token to paths of the same origin that are not in the list.
  const redirect = init.redirect === 'error' ? 'error' : 'manual';
  let url = first;
  for (let count = 0; ; count++) {
    const headers = new Headers(init.headers);
    headers.set('authorization', `Bearer ${token}`);
    const answer = await fetch(url, { ...init, headers, redirect });
    const location = answer.headers.get('location');
    if (!mayFollow || ![301, 302, 303, 307, 308].includes(answer.status) || location === null) return answer;
    if (count >= REDIRECTS) throw new TypeError(`the API redirected more than ${REDIRECTS} times`);
    url = new URL(location, url);
    requireApi(url, apis);
    await answer.body?.cancel();
  }
}

function isRepeatable(body: RequestInit['body']): boolean {
  return !(
    body instanceof ReadableStream ||
    (typeof body === 'object' && body !== null && Symbol.asyncIterator in body)
  );
}
