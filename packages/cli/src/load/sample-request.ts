/**
 * Returns what a binding passes to a configuration that is a function: a request for `/` without cookies. It has the
 * members that such functions usually read. Next.js calls the function without a request, too.
 *
 * @param binding The name that the binding announces.
 * @param url The URL of the request.
 */
export function sampleRequest(binding: string, url: URL): unknown {
  const request = new Request(url, { headers: { host: url.host } });
  const header = (name: string): string | undefined => request.headers.get(name) ?? undefined;
  const nothing = (): undefined => undefined;
  const cookies = { get: nothing, getAll: () => [], set: nothing, delete: nothing, has: () => false };
  const method = 'GET';
  switch (binding) {
    case 'next':
      return undefined;
    case 'sveltekit':
      return { request, url, cookies, locals: {}, params: {}, route: { id: null }, fetch };
    case 'astro':
      return { request, url, cookies, locals: {}, params: {}, clientAddress: '127.0.0.1', isPrerendered: false };
    case 'hono':
      return {
        req: { raw: request, url: url.href, path: '/', method, header },
        env: process.env,
        var: {},
        get: nothing,
      };
    case 'h3':
      return { req: request, url, path: '/', method, headers: request.headers, context: {} };
    case 'fastify':
      return {
        url: '/',
        method,
        headers: { host: url.host },
        host: url.host,
        hostname: url.hostname,
        protocol: 'http',
      };
    case 'react-router':
      return { request, params: {}, context: { get: nothing, set: nothing } };
    default:
      return request;
  }
}
