import { createHash } from 'node:crypto';
import { open } from '../limit/parts/jwe.ts';
import { claims, cookieNames, secret } from '../visitor.ts';

/**
 * A response without random and time-dependent values, which are checked and left out. Contenders are compared by it.
 */
interface Description {
  readonly status: number;
  /** Without `set-cookie`. */
  readonly headers: Readonly<Record<string, string>>;
  readonly cookies: readonly DescribedCookie[];
  readonly body: string;
}

interface DescribedCookie {
  readonly name: string;
  readonly attributes: readonly string[];
  readonly content: unknown;
}

/** Describes a response. */
export async function describe(response: Response): Promise<Description> {
  const headers = [...response.headers]
    .filter(([name]) => name !== 'set-cookie')
    .map(([name, value]) => [name, value] as const);
  const cookies = response.headers.getSetCookie().map(describeCookie);
  const body = withoutPassing(await response.text());
  return {
    status: response.status,
    headers: Object.fromEntries(
      headers.map(([name, value]) => [name, name === 'location' ? describeAddress(value) : value]),
    ),
    cookies,
    body,
  };
}

function describeCookie(line: string): DescribedCookie {
  const [pair = '', ...attributes] = line.split('; ');
  const equals = pair.indexOf('=');
  const [name, value] = [pair.slice(0, equals), decodeURIComponent(pair.slice(equals + 1))];
  return { name, attributes: attributes.map(describeAttribute), content: contentOf(name, value) };
}

function describeAttribute(attribute: string): string {
  if (!attribute.startsWith('Expires=')) return attribute;
  const seconds = (Date.parse(attribute.slice(8)) - Date.now()) / 1000;
  return `Expires in ${Math.round(seconds / 60)} minutes`;
}

function contentOf(name: string, value: string): unknown {
  if (value === '') return '';
  if (name === cookieNames.csrf) return isTokenAndHash(value) ? 'a CSRF token and its hash' : 'a wrong CSRF token';
  if (name === cookieNames.callbackUrl) return value;
  const claims = open(value, [secret], name, Math.floor(Date.now() / 1000));
  if (!claims) return 'unreadable';
  return describeClaims(claims);
}

function isTokenAndHash(value: string): boolean {
  const [token = '', hash] = value.split('|');
  return (
    /^[\da-f]{64}$/.test(token) &&
    createHash('sha256')
      .update(token + secret)
      .digest('hex') === hash
  );
}

const RANDOM: ReadonlySet<string> = new Set(['jti', 'sid', 'flow', 'value', 'sub']);

function describeClaims(payload: Record<string, unknown>): object {
  const now = Date.now() / 1000;
  return Object.fromEntries(
    Object.entries(payload)
      .toSorted()
      .map(([name, value]) => {
        if (['iat', 'exp', 'due'].includes(name))
          return [name, `in ${Math.round(((value as number) - now) / 60)} minutes`];
        if (RANDOM.has(name) && value !== claims.sub) return [name, `${String(value).length} characters`];
        return [name, value];
      }),
  );
}

const PASSING = ['state', 'code_challenge', 'nonce'];

function describeAddress(address: string): string {
  if (!URL.canParse(address)) return address;
  const url = new URL(address);
  for (const name of PASSING) {
    const value = url.searchParams.get(name);
    if (value !== null) url.searchParams.set(name, `${value.length}`);
  }
  return url.href;
}

function withoutPassing(body: string): string {
  return body
    .replace(
      /\d{4}-\d\d-\d\dT[\d:.]+Z/g,
      (date) => `in ${Math.round((Date.parse(date) - Date.now()) / 60_000)} minutes`,
    )
    .replace(/\b[\da-f]{64}\b/g, 'a CSRF token');
}
