/**
 * The network that an address is counted for: an IPv4 address, or the first 64 bits of an IPv6 address, of which one visitor has all
 * the rest. However it is spelt: with a port, in brackets, with a zone, IPv4 in IPv6 (RFC 4291 §2.5.5.2, RFC 6052 §2.1).
 *
 * @returns `undefined` for what is no address.
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
 * Is the network one that is not reached from the internet, so that its addresses are a proxy's, or those of a network of the owner's?
 * RFC 1918, RFC 6598 (shared address space, which hosters use inside), loopback, link-local, RFC 4193.
 *
 * @param network As {@link networkOf} writes it.
 */
export function isPrivate(network: string): boolean {
  if (network.includes(':')) return /^(0:0:0:0::|f[cd][\da-f]{2}:|fe[89ab][\da-f]:)/.test(network);
  const [a = 0, b = 0] = network.split('.').map(Number);
  if (a === 0 || a === 10 || a === 127) return true;
  if (a === 100) return b >= 64 && b < 128;
  if (a === 172) return b >= 16 && b < 32;
  return (a === 192 && b === 168) || (a === 169 && b === 254);
}

/** What a request says about where it comes from. */
export interface Whence {
  /** As the host framework knows it. */
  readonly address: string | undefined;
  /** `X-Forwarded-For`, all lines of it. */
  readonly forwarded: string | undefined;
  /** Proxies that append to it; `undefined` where nobody has said. */
  readonly hops: number | undefined;
}

/**
 * The network of whoever sent a request.
 *
 * A client may write into `X-Forwarded-For` what it likes, but proxies append: so it is counted from the end. A header with fewer
 * entries has not come through all of the proxies; then the address of the connection counts.
 *
 * @returns `undefined` where it cannot be told, or might be a proxy's.
 */
export function clientNetwork({ address, forwarded, hops }: Whence): string | undefined {
  const entry = hops ? forwarded?.split(',').at(-hops) : undefined;
  if (entry !== undefined) return networkOf(entry);
  const network = address === undefined ? undefined : networkOf(address);
  return network !== undefined && hops !== 0 && isPrivate(network) ? undefined : network;
}

/** A zero in front would be octal to some. */
function isOctet(text: string): boolean {
  return String(Number(text)) === text && Number(text) < 256;
}

/** The eight groups of an IPv6 address. URLs know all of its spellings. */
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

/** The IPv4 address in an IPv6 address: `::ffff:a.b.c.d`, or `64:ff9b::a.b.c.d`. */
function embedded([a, b, c, d, e, f, g = 0, h = 0]: readonly number[]): string | undefined {
  const middle = c === 0 && d === 0 && e === 0;
  const mapped = a === 0 && b === 0 && middle && f === 0xffff;
  const translated = a === 0x64 && b === 0xff9b && middle && f === 0;
  return mapped || translated ? [g >> 8, g & 255, h >> 8, h & 255].join('.') : undefined;
}

function hex(group: number): string {
  return group.toString(16);
}
