import type { AuthConfig, EventCallbacks, PagesOptions, SessionOptions } from '@latchkey/core/types';

type Names<T> = Readonly<Record<keyof T & string, true>>;

/** All options. The compiler demands each member of the types. */
const OPTIONS: Names<AuthConfig> = {
  providers: true,
  secret: true,
  session: true,
  logout: true,
  account: true,
  linking: true,
  tokens: true,
  jwt: true,
  pages: true,
  callbacks: true,
  events: true,
  adapter: true,
  debug: true,
  logger: true,
  theme: true,
  mail: true,
  locale: true,
  useSecureCookies: true,
  cookies: true,
  trustHost: true,
  skipCSRFCheck: true,
  raw: true,
  basePath: true,
  redirectProxyUrl: true,
  redirectProxyOrigins: true,
  rateLimit: true,
  experimental: true,
};

const SESSION: Names<SessionOptions> = {
  strategy: true,
  maxAge: true,
  updateAge: true,
  generateSessionToken: true,
  maxLifetime: true,
  records: true,
};

const PAGES: Names<PagesOptions> = {
  signIn: true,
  signOut: true,
  error: true,
  verifyRequest: true,
  newUser: true,
  sessions: true,
  account: true,
  signUp: true,
  forgotPassword: true,
  terms: true,
  privacy: true,
  help: true,
};

const EVENTS: Names<EventCallbacks> = {
  signIn: true,
  signOut: true,
  createUser: true,
  updateUser: true,
  linkAccount: true,
  unlinkAccount: true,
  changeEmail: true,
  deleteUser: true,
  session: true,
  sessionEnded: true,
  tokensRefreshed: true,
  tokensLost: true,
  tokensRevoked: true,
};

/** An option that the library does not have. */
export interface UnknownOption {
  readonly path: string;
  /** The option that was probably meant. */
  readonly similar: string | undefined;
}

/** Lists the options of a configuration that do not exist: at the top, and in groups that others do not extend. */
export function unknownOptions(config: object): UnknownOption[] {
  return [
    ...unknownIn('', config, OPTIONS),
    ...unknownIn('session.', Reflect.get(config, 'session'), SESSION),
    ...unknownIn('pages.', Reflect.get(config, 'pages'), PAGES),
    ...unknownIn('events.', Reflect.get(config, 'events'), EVENTS),
  ];
}

function unknownIn(prefix: string, group: unknown, known: Readonly<Record<string, true>>): UnknownOption[] {
  if (typeof group !== 'object' || group === null || Array.isArray(group)) return [];
  const names = Object.keys(group).filter((name) => !Object.hasOwn(known, name));
  return names.map((name) => ({ path: prefix + name, similar: similarTo(name, Object.keys(known)) }));
}

/** Returns the name with the fewest changed letters, if there are at most two. */
export function similarTo(name: string, known: readonly string[]): string | undefined {
  const ranked = known
    .map((one) => ({ one, changes: distance(name.toLowerCase(), one.toLowerCase()) }))
    .sort((one, other) => one.changes - other.changes);
  const [best] = ranked;
  return best && best.changes <= 2 ? best.one : undefined;
}

/** Number of letters to insert, delete or replace (Levenshtein). */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [index, letter] of [...from].entries()) {
    const next = [index + 1];
    for (let at = 1; at <= to.length; at++) {
      const replaced = (row[at - 1] ?? 0) + (letter === to[at - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
