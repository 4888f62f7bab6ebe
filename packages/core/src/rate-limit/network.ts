/**
 * Returns the network by which an address is counted: the IPv4 address, or the first 64 bits of an IPv6 address. One
 * visitor usually has all IPv6 addresses of a /64. The address may have a port, brackets, or a zone, or be IPv4 in IPv6
 * (RFC 4291 §2.5.5.2, RFC 6052 §2.1).
 *
 * @returns `undefined` if the text is not an address.
 */
export function networkOf(address: string): string | undefined {
  const text = address.trim();
  const v4 = /^(\d{1,3}(?:\.\d{1,3}){3})(?::\d{1,5})?$/.exec(text)?.[1];
  if (v4 !== undefined) return v4.split('.').every(isOctet) ? v4 : undefined;
  const [, bracketed, plain] = /^(?:\[([^\]]+)\](?::\d{1,5})?|([^[\]]+))$/.exec(text) ?? [];
  const groups = groupsOf((bracketed ?? plain ?? '').replace(/%.*$/s, ''));
  return groups && (embedded(groups) ?? `${groups.slice(0, 4).map(hex).join(':')}::/64`);
}

/**
 * Returns the IPv6 /48 of a /64. One customer of a provider may have all networks of a /48 (RFC 6177), and with them
 * 65,536 counters.
 *
 * @param network In the form that {@link networkOf} returns.
 * @returns `undefined` for an IPv4 address.
 */
export function widerNetworkOf(network: string): string | undefined {
  const groups = network.split(':');
  return groups.length > 1 ? `${groups.slice(0, 3).join(':')}::/48` : undefined;
}

/**
 * Returns the beginning of the addresses of a network: the IPv4 /24 or the IPv6 /48. A person recognizes a place by it,
 * but not a visitor.
 *
 * @param network In the form that {@link networkOf} returns.
 */
export function networkPrefix(network: string): string {
  return widerNetworkOf(network) ?? `${network.split('.').slice(0, 3).join('.')}.0/24`;
}

/**
 * Returns whether a network is private, so that its addresses are those of a proxy or of the owner's own network: RFC
 * 1918, RFC 6598 (shared address space, which hosting providers use internally), loopback, link-local, RFC 4193.
 *
 * @param network In the form that {@link networkOf} returns.
 */
export function isPrivate(network: string): boolean {
  if (network.includes(':')) return /^(0:0:0:0::|f[cd][\da-f]{2}:|fe[89ab][\da-f]:)/.test(network);
  const [a = 0, b = 0] = network.split('.').map(Number);
  if (a === 0 || a === 10 || a === 127) return true;
  if (a === 100) return b >= 64 && b < 128;
  if (a === 172) return b >= 16 && b < 32;
  return (a === 192 && b === 168) || (a === 169 && b === 254);
}

/** Facts of a request about the client's network address. */
export interface ClientAddress {
  /** From the host framework. */
  readonly address: string | undefined;
  /** `X-Forwarded-For`, with all its lines joined. */
  readonly forwarded: string | undefined;
  /** Number of proxies that append to the header; `undefined` if not configured. */
  readonly hops: number | undefined;
}

/**
 * Returns the network of the client that sent a request.
 *
 * A client may send any `X-Forwarded-For`, but proxies append to it. So the entries are counted from the end. A header
 * with too few entries did not pass all of the proxies; then the address of the connection counts.
 *
 * @returns `undefined` if the network is not known, or may be that of a proxy.
 */
export function clientNetwork({ address, forwarded, hops }: ClientAddress): string | undefined {
  const entry = hops ? forwarded?.split(',').at(-hops) : undefined;
  if (entry !== undefined) return networkOf(entry);
  const network = address === undefined ? undefined : networkOf(address);
  return network !== undefined && hops !== 0 && isPrivate(network) ? undefined : network;
}

/** Refuses a leading zero, which some parsers read as octal. */
function isOctet(text: string): boolean {
  return String(Number(text)) === text && Number(text) < 256;
}

/** Returns the eight groups of an IPv6 address. The URL parser reads all notations. */
function groupsOf(text: string): number[] | undefined {
  const url = `http://[${text}]`;
  if (!text.includes(':') || !/^[\da-f:.]+$/i.test(text) || !URL.canParse(url)) return undefined;
  const [head = '', tail] = new URL(url).hostname.slice(1, -1).split('::');
  const before = numbers(head);
  const after = numbers(tail ?? '');
  return [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after];
}

function numbers(groups: string): number[] {
  return groups === '' ? [] : groups.split(':').map((group) => Number.parseInt(group, 16));
}

/** Returns the IPv4 address in an IPv6 address: `::ffff:a.b.c.d`, or `64:ff9b::a.b.c.d`. */
function embedded([a, b, c, d, e, f, g = 0, h = 0]: readonly number[]): string | undefined {
  const middle = c === 0 && d === 0 && e === 0;
  const mapped = a === 0 && b === 0 && middle && f === 0xffff;
  const translated = a === 0x64 && b === 0xff9b && middle && f === 0;
  return mapped || translated ? [g >> 8, g & 255, h >> 8, h & 255].join('.') : undefined;
}

function hex(group: number): string {
  return group.toString(16);
}
