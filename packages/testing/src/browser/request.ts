import type { Page } from './page.ts';

/** Answers a browser's requests: an application's handler, `provider.fetch`, or the global `fetch`. */
export type Handler = (request: Request) => Response | Promise<Response>;

/** Options of a `Browser`. */
export interface BrowserOptions {
  /** The origin against which paths are resolved. Default: `http://localhost:3000`. */
  origin?: string;
  /**
   * Handlers for further origins, such as `{ 'https://idp.test': provider.fetch }`. If it is set, a request to another
   * origin is an error; else `handler` answers the requests to all origins.
   */
  routes?: Readonly<Record<string, Handler>>;
  /** Returns the current instant, by which cookies expire. Default: the system's clock. */
  now?: () => Date;
  /** Whether `Secure` cookies are allowed over http on localhost and 127.0.0.1, as in Chromium. Default: true. */
  trustLoopback?: boolean;
  /**
   * Whether requests carry `Origin` and `Sec-Fetch-*`. `false` imitates curl or an old browser. `SameSite` still
   * applies. Default: true.
   */
  sendMetadata?: boolean;
}

/** Options of a single request. */
export interface OpenOptions {
  /** Default: GET, or POST if there is a body. */
  method?: string;
  /** Headers to add to those that a browser sends. Default: none. */
  headers?: HeadersInit;
  /** The body. `URLSearchParams` and `FormData` set the media type of a form. Default: none. */
  body?: string | URLSearchParams | FormData;
  /**
   * The site that starts the request, for `Origin`, `Sec-Fetch-Site` and `SameSite`. Default: `none` for GET, else
   * `same-origin`.
   */
  site?: Site;
  /** The origin that starts the request, instead of `site`; `'null'` for a sandboxed frame or a `data:` page. */
  initiator?: string;
  /** `cors` is a script's `fetch`, which does not carry `Lax` cookies to another site. Default: `navigate`. */
  mode?: 'navigate' | 'cors';
}

/** How far `Browser.follow` goes. */
export interface FollowOptions {
  /**
   * `page`: to the first response that is not a redirect. `other-origin`: to the redirect that leads to another origin.
   * A function: to the first response that it accepts. Default: one step.
   */
  until?: 'page' | 'other-origin' | ((page: Page) => boolean);
}

/** Options of `Browser.submit`. */
export interface SubmitOptions extends Omit<OpenOptions, 'body' | 'method'> {
  /** Name, value or label of the button to press. Default: the form's first button. */
  button?: string;
}

/** A request before it is sent. */
export interface Outgoing {
  url: URL;
  method: string;
  mode: 'navigate' | 'cors';
  headers: Headers;
  body: string | FormData | undefined;
  initiator: string | undefined;
  /** The value of Sec-Fetch-Site, if it differs from the site that decides about `SameSite`. */
  declaredSite?: Site;
}

type Metadata = Pick<Outgoing, 'method' | 'mode' | 'initiator'> & { site: Site };

/**
 * Adds the headers that browsers set themselves (Fetch §3.2; Fetch Metadata §2). A header that the test sets stays; an
 * empty one is removed.
 */
export function addMetadata(headers: Headers, { method, mode, initiator, site }: Metadata): void {
  const automatic: Record<string, string | undefined> = {
    origin: method === 'GET' || method === 'HEAD' ? undefined : initiator,
    'sec-fetch-site': site,
    'sec-fetch-mode': mode,
    'sec-fetch-dest': mode === 'navigate' ? 'document' : 'empty',
  };
  for (const [name, value] of Object.entries(automatic)) {
    if (headers.get(name) === '') headers.delete(name);
    else if (value !== undefined && !headers.has(name)) headers.set(name, value);
  }
}

/** Returns fields as a form body, without those that are `undefined`. Pure. */
export function toSearchParams(fields: Readonly<Record<string, unknown>>): URLSearchParams {
  return new URLSearchParams(
    Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  );
}

/** The relation between the page that starts a request and its target: the values of `Sec-Fetch-Site`. */
export type Site = 'same-origin' | 'same-site' | 'cross-site' | 'none';

/** The origin that starts a request if a test only says `cross-site`. */
const FOREIGN_ORIGIN = 'https://elsewhere.example';

/**
 * Returns the relation between the origin that starts a request and its target; `undefined` is the address bar. Pure.
 */
export function siteOf(initiator: string | undefined, target: URL): Site {
  if (initiator === undefined) return 'none';
  if (initiator === 'null') return 'cross-site';
  const from = new URL(initiator);
  if (from.origin === target.origin) return 'same-origin';
  const sameSite = from.protocol === target.protocol && registrableDomain(from) === registrableDomain(target);
  return sameSite ? 'same-site' : 'cross-site';
}

/** Returns an origin with this relation to the target; `undefined` for `none`. Pure. */
export function originWithSite(site: Site, target: URL): string | undefined {
  switch (site) {
    case 'none':
      return undefined;
    case 'same-origin':
      return target.origin;
    case 'same-site':
      return siblingOrigin(target);
    case 'cross-site':
      return FOREIGN_ORIGIN;
  }
}

/** Returns whether a host is this machine, which browsers trust without TLS (W3C Secure Contexts §3.1). */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost') || /^127(\.\d+){3}$/.test(host) || host === '[::1]';
}

/** Returns whether a host is an IP address, which has no parent domain. */
export function isAddress(host: string): boolean {
  return /^\d+(\.\d+){3}$/.test(host) || host.startsWith('[');
}

/** Returns the last two labels. Without a public suffix list, `example.co.uk` belongs to the site `co.uk`. */
function registrableDomain({ hostname }: URL): string {
  return isAddress(hostname) ? hostname : hostname.split('.').slice(-2).join('.');
}

/**
 * Returns another origin of the same site. If the host cannot have subdomains, the port differs, which a site ignores.
 */
function siblingOrigin(target: URL): string {
  const sibling = new URL(target.origin);
  if (isAddress(target.hostname) || !target.hostname.includes('.')) sibling.port = target.port === '1' ? '2' : '1';
  else sibling.hostname = `sibling.${registrableDomain(target)}`;
  return sibling.origin;
}
