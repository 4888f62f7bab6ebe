const LOOPBACK = /^(localhost|[\w-]+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Is it a host whose traffic does not leave this machine (RFC 6761 §6.3, RFC 8252 §8.3)? */
export function isLoopback(hostname: string): boolean {
  return LOOPBACK.test(hostname);
}

/**
 * May this address be called, or the visitor be sent there? https, or http on loopback; http elsewhere only where the
 * owner has said so.
 */
export function isAcceptableUrl(address: string | URL, allowInsecure: boolean): boolean {
  if (typeof address === 'string' && !URL.canParse(address)) return false;
  const url = typeof address === 'string' ? new URL(address) : address;
  if (url.protocol === 'https:') return true;
  return url.protocol === 'http:' && (allowInsecure || isLoopback(url.hostname));
}
