import { basePath, cookieNames } from '../../visitor.ts';
import { attributes, chunked, cookiesOf, sessionAttributes } from '../parts/cookies.ts';
import { open, seal } from './jwe.ts';

const MAX_AGE = 30 * 24 * 60 * 60;
const encoder = new TextEncoder();

/** `GET session` with WebCrypto only, for a browser that has the cookies. */
export async function session(request: Request, secret: string): Promise<Response> {
  const { url } = request;
  const start = url.indexOf('/', 8);
  const origin = url.slice(0, start);
  if (request.method !== 'GET' || url.slice(start) !== `${basePath}/session`)
    return new Response(null, { status: 400 });
  const cookies = cookiesOf(request.headers.get('cookie'));
  const [csrf = '', hash = ''] = (cookies[cookieNames.csrf] ?? '').split('|');
  if (!equal(hash, hex(await crypto.subtle.digest('SHA-256', encoder.encode(csrf + secret)))))
    throw new Error('a new visitor');
  const headers: [string, string][] = [
    ['content-type', 'application/json'],
    ['cache-control', 'private, no-cache, no-store'],
    ['x-content-type-options', 'nosniff'],
    ['expires', '0'],
    ['pragma', 'no-cache'],
  ];
  if (cookies[cookieNames.callbackUrl] !== origin) {
    headers.push(['set-cookie', `${cookieNames.callbackUrl}=${encodeURIComponent(origin)}${attributes}`]);
  }
  const now = Date.now();
  const token = chunked(cookies, cookieNames.session);
  const claims =
    token === undefined ? undefined : await open(token, secret, cookieNames.session, Math.floor(now / 1000));
  if (!claims) return new Response('null', { headers });
  const expires = now + MAX_AGE * 1000;
  const value = await seal(claims, secret, cookieNames.session, MAX_AGE, Math.floor(now / 1000));
  headers.push(['set-cookie', `${cookieNames.session}=${value}${sessionAttributes(expires)}`]);
  const { name, email, picture } = claims;
  return new Response(JSON.stringify({ user: { name, email, image: picture }, expires: new Date(expires) }), {
    headers,
  });
}

function equal(a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  let difference = 0;
  for (let index = 0; index < a.length; index++) difference |= a.charCodeAt(index) ^ b.charCodeAt(index);
  return difference === 0;
}

function hex(buffer: ArrayBuffer): string {
  let text = '';
  for (const byte of new Uint8Array(buffer)) text += (byte < 16 ? '0' : '') + byte.toString(16);
  return text;
}
