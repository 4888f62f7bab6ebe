import type { RoutedRequest } from '../context.ts';

/** May the answer show the developer what is wrong? */
export function showsDetails(request: Pick<RoutedRequest, 'call' | 'incoming' | 'url'>): boolean {
  const { development } = request.call;
  return development === 'local' ? isLocalRequest(request) : development === true;
}

/** As `URL` writes it. */
const LOOPBACK_HOST = /^(?:(?:.+\.)?localhost|127\.[\d.]+|\[::1\])$/;
/**
 * Headers that proxies add: RFC 7239, `Via` (RFC 9110 §7.6.3), and the names that web servers and content delivery
 * networks use for the address of the client.
 */
const OF_PROXY = /^(?:forwarded|via|x-forwarded-.+|x-real-ip|(?:.+-)?client-ip|.+-connecting-ip)$/;
const LOOPBACK_ADDRESS = /^(?:127\.[\d.]+|::1|::ffff:127\.[\d.]+)$/i;

/**
 * Does the request come from this machine? The host of its URL is loopback. So is the client's address, as far
 * as the framework knows it. No proxy has passed the request on. A proxy that adds no header cannot be noticed.
 */
function isLocalRequest({ call, incoming, url }: Pick<RoutedRequest, 'call' | 'incoming' | 'url'>): boolean {
  const hosts = [url.hostname, new URL(incoming.url).hostname];
  if (!hosts.every((host) => LOOPBACK_HOST.test(host))) return false;
  if (call.clientAddress && !LOOPBACK_ADDRESS.test(call.clientAddress)) return false;
  return ![...incoming.headers().keys()].some((name) => OF_PROXY.test(name));
}
