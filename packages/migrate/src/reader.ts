import type { Awaitable, LegacyReader, LegacySession } from '@latchkey/core/types';

/** Options of all readers. */
export interface ReaderOptions {
  /** The reader is not used after this instant: a `Date` or an ISO 8601 string, at most 366 days ahead. */
  until: Date | string;
  /** Leave the old cookie and session in place, so that you can return to the old library. Default: `false`. */
  keep?: boolean | undefined;
  /** The name of the old cookie, without `__Secure-`. Default: that of the library. */
  cookie?: string | undefined;
  /** The `Domain` of the old cookie. Default: none. */
  domain?: string | undefined;
  /** The `Path` of the old cookie. Default: `/`. */
  path?: string | undefined;
  /** Returns the present id of a user, if ids have changed; `null` refuses the session. Default: the old id. */
  user?: ((old: string) => Awaitable<string | null>) | undefined;
  /** Returns whether an old session may be moved. Default: each may. */
  accept?: ((session: LegacySession) => Awaitable<boolean>) | undefined;
}

/** An old session, as the application's own function returns it from the old store. */
export interface OldSession {
  /** Ids that are numbers become text. */
  userId: string | number;
  /** When the session expires. */
  expires: Date;
  /** When the session began. Default: not known. */
  issuedAt?: Date | undefined;
}

/** The differences between the readers. */
interface Parts {
  readonly name: string;
  /** Name of the cookie by default. */
  readonly cookie: string;
  /** Further cookies of the library that are removed with the session. Default: none. */
  readonly others?: readonly string[];
  readonly problems?: readonly string[];
  /** Returns the session that the value of the cookie stands for. */
  find(value: string, now: Date): Promise<LegacySession | null>;
  end?: ((session: LegacySession) => Awaitable<unknown>) | undefined;
}

/** Makes a reader. The cookie with the prefix takes precedence, because only https can set it. */
export function makeReader(options: ReaderOptions, parts: Parts): LegacyReader {
  const { until, keep, domain, path, user, accept, cookie = parts.cookie } = options;
  const names = [cookie, ...(parts.others ?? [])].flatMap((name) => [`__Secure-${name}`, name]);
  const { name, problems = [], find, end } = parts;
  return {
    name,
    cookies: names,
    until,
    keep,
    domain,
    path,
    problems,
    async read(cookies, now) {
      const value = cookies.get(`__Secure-${cookie}`) ?? cookies.get(cookie);
      const found = value === undefined ? null : await find(value, now);
      if (!found || (accept && !(await accept(found)))) return null;
      const userId = user ? await user(found.userId) : found.userId;
      return userId === null ? null : { ...found, userId };
    },
    ...(end && { end: async (session) => void (await end(session)) }),
  };
}

/** Returns the session of the application's own function, which `end` finds again by its id. */
export function sessionOf(found: OldSession | null | undefined, id: string): LegacySession | null {
  return found ? { userId: userIdOf(found.userId), expires: found.expires, issuedAt: found.issuedAt, id } : null;
}

/**
 * Returns the id of a user as text. Other values become '', which core refuses with a message: a missing column would
 * make all visitors the user `undefined`.
 */
export function userIdOf(id: unknown): string {
  return typeof id === 'string' || typeof id === 'number' || typeof id === 'bigint' ? String(id) : '';
}

/** Returns the secrets that are set. */
export function secretsOf(secret: string | readonly string[] | undefined): readonly string[] {
  return [secret ?? []].flat().filter((one) => typeof one === 'string' && one !== '');
}
