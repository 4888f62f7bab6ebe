import { decode } from '../../src/jwt.ts';
import type { Application } from './application.ts';
import { SECRET } from './marks.ts';
import { cookieName } from './proofs.ts';

/** A response that was read. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly cookies: readonly SetCookie[];
  readonly body: string;
  /** Where it leads: `Location`, and the address in its JSON. */
  readonly targets: readonly string[];
}

/** A `Set-Cookie` header, split. */
export interface SetCookie {
  readonly line: string;
  readonly name: string;
  /** Decoded. */
  readonly value: string;
  /** By name in lower case; '' for those without a value. */
  readonly attributes: ReadonlyMap<string, string>;
}

export async function read(response: Response): Promise<Answer> {
  const { status, headers } = response;
  const body = await response.text();
  const told =
    headers.get('content-type') === 'application/json'
      ? (JSON.parse(body) as { url?: unknown } | null)?.url
      : undefined;
  const targets = [headers.get('location'), told].filter((target) => typeof target === 'string');
  return { status, headers, body, targets, cookies: headers.getSetCookie().map(split) };
}

function split(line: string): SetCookie {
  const [pair = '', ...rest] = line.split('; ');
  const at = pair.indexOf('=');
  const attributes = rest.map((one): [string, string] => {
    const [name = '', ...value] = one.split('=');
    return [name.toLowerCase(), value.join('=')];
  });
  return {
    line,
    name: pair.slice(0, at),
    value: decodeURIComponent(pair.slice(at + 1)),
    attributes: new Map(attributes),
  };
}

/**
 * Returns the address of the user whose session a response starts or extends. `?` if unknown, `undefined` without a
 * session.
 */
export async function whoIsIn(app: Application, origin: string, answer: Answer): Promise<string | undefined> {
  const name = cookieName(origin, 'session-token');
  const parts = answer.cookies.filter(
    (cookie) => cookie.value !== '' && (cookie.name === name || cookie.name.startsWith(`${name}.`)),
  );
  if (parts.length === 0) return undefined;
  const number = (cookie: SetCookie): number => Number(cookie.name.slice(name.length + 1));
  const token = parts
    .sort((one, other) => number(one) - number(other))
    .map(({ value }) => value)
    .join('');
  const row = app.shelf?.rows.sessions.get(token);
  if (row) return app.shelf?.rows.users.get(row.userId)?.email ?? '?';
  const claims = await decode({ token, secret: SECRET, salt: name }).catch(() => null);
  return claims?.email ?? '?';
}

/** Whose session an answer to `session` tells. */
export function whoIsTold({ status, headers, body }: Answer): string | undefined {
  if (status !== 200 || headers.get('content-type') !== 'application/json') return undefined;
  const value = JSON.parse(body) as { user?: { email?: string }; expires?: unknown } | null;
  return value?.expires === undefined ? undefined : (value.user?.email ?? '?');
}
