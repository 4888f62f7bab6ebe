const LABEL = '[a-z\\d_]([a-z\\d_-]*[a-z\\d_])?';

/**
 * The one grammar of hosts: a name or an IP address, and a port. Names have letters, digits, hyphens, and underscores,
 * which container networks use. Other characters are allowed in URLs (WHATWG URL §3.5), but are in no real host. The
 * longest host is a name of 253 characters (RFC 1035 §2.3.4), a colon and a port.
 */
export const HOST: RegExp = new RegExp(`^(?=.{1,259}$)(${LABEL}(\\.${LABEL})*|\\[[\\da-f:.]+\\])(:\\d{1,5})?$`, 'i');

/**
 * Returns the origin that protocol and host name.
 *
 * @param protocol `http` or `https`.
 * @returns `undefined` if it is another protocol, or if the host is not written as browsers write it.
 */
export function originOfHost(protocol: string, host: string): string | undefined {
  if (protocol !== 'http' && protocol !== 'https') return undefined;
  const address = `${protocol}://${host}`;
  if (!HOST.test(host) || !URL.canParse(address)) return undefined;
  const { origin, hostname } = new URL(address);
  // `127.1` and `0x7f000001` mean 127.0.0.1.
  return host.toLowerCase().startsWith(hostname) ? origin : undefined;
}

const PRIVATE_NAME = /^(?:.+\.)?(?:localhost|local|test|internal)$/;
const PRIVATE_ADDRESS =
  /^(?:127\.[\d.]+|10\.[\d.]+|192\.168\.[\d.]+|172\.(?:1[6-9]|2\d|3[01])\.[\d.]+|169\.254\.[\d.]+|\[::1\]|\[f[cd][\da-f]{2}:.*\]|\[fe[89ab][\da-f]:.*\])$/;

/**
 * Returns whether a host is on this machine or in a private network.
 *
 * Such a name cannot belong to a public site (RFC 6761, RFC 6762, `.internal`). Such an address is one of loopback, of
 * a private network (RFC 1918, RFC 4193), or of a link (RFC 3927, RFC 4291).
 *
 * @param hostname As `URL` writes it.
 */
export function isPrivateHost(hostname: string): boolean {
  return PRIVATE_NAME.test(hostname) || PRIVATE_ADDRESS.test(hostname);
}
