/** How the page that starts a request relates to the address it asks for; the values of `Sec-Fetch-Site`. */
export type Site = 'same-origin' | 'same-site' | 'cross-site' | 'none';

/** The origin which stands for "some other site" where a test only says `cross-site`. */
export const FOREIGN_ORIGIN = 'https://elsewhere.example';

/** Relation between the origin that starts a request and its target; `undefined` is the address bar. Pure. */
export function siteOf(initiator: string | undefined, target: URL): Site {
  if (initiator === undefined) return 'none';
  if (initiator === 'null') return 'cross-site';
  const from = new URL(initiator);
  if (from.origin === target.origin) return 'same-origin';
  const sameSite = from.protocol === target.protocol && registrableDomain(from) === registrableDomain(target);
  return sameSite ? 'same-site' : 'cross-site';
}

/** An origin that has the asked relation to the target. `none` is `undefined`. Pure. */
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

/** Whether a host is this machine, which browsers trust without TLS (W3C Secure Contexts §3.1). */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost') || /^127(\.\d+){3}$/.test(host) || host === '[::1]';
}

/** Whether a host is an IP address, which has no parent domain. */
export function isAddress(host: string): boolean {
  return /^\d+(\.\d+){3}$/.test(host) || host.startsWith('[');
}

/** The last two labels: there is no public suffix list here, so `example.co.uk` counts as part of the site `co.uk`. */
function registrableDomain({ hostname }: URL): string {
  return isAddress(hostname) ? hostname : hostname.split('.').slice(-2).join('.');
}

/** A host of the same site on another origin; hosts without subdomains differ in the port, which a site ignores. */
function siblingOrigin(target: URL): string {
  const sibling = new URL(target.origin);
  if (isAddress(target.hostname) || !target.hostname.includes('.')) sibling.port = target.port === '1' ? '2' : '1';
  else sibling.hostname = `sibling.${registrableDomain(target)}`;
  return sibling.origin;
}
