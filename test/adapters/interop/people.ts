import { Browser, FakeProvider, type FakeUser, type Page, type StoredCookie } from '@latchkey/testing';
import { idpConfig, type Library, latchkey, peer } from '../../peers/libraries.ts';
import { type Counts, countRows } from '../store.ts';
import type { World } from './world.ts';

/** A visitor's session, as the library shows it. */
export interface Shown {
  readonly user: { readonly name?: string; readonly email?: string };
  readonly userId: string;
  readonly expires: string;
}

/** A visitor of a site at which either library may answer. */
export interface Visitor {
  /** The errors in the log. */
  readonly errors: unknown[];
  /** Which library answers from now on. */
  at(library: Library): Visitor;
  signIn(user: FakeUser, provider?: 'idp' | 'other'): Promise<void>;
  /** Asks for a link, and takes it out of the mail. */
  mailedLink(email: string): Promise<string>;
  open(link: string): Promise<void>;
  session(): Promise<Shown | null>;
  signOut(): Promise<void>;
  /** The session cookie. */
  cookie(): StoredCookie | undefined;
}

/** Both libraries. */
export { latchkey, peer as authjs };

/** One for all: making its keys takes time. */
const provider = new FakeProvider();

/**
 * A visitor of the site on this database, with a session cookie or without.
 *
 * @param records Whether Latchkey keeps records of sessions. Default: `false`.
 */
export function visitorOf(world: World, sessionCookie?: string, records = false): Visitor {
  const sent: { url: string }[] = [];
  const errors: unknown[] = [];
  const configs = {
    latchkey: { ...configOf(latchkey, world, sent, errors), session: { strategy: 'database', records } },
    authjs: configOf(peer, world, sent, errors),
  };
  const current = { library: latchkey };
  const browser = new Browser((request) => current.library.auth(request, configs[current.library.name]));
  if (sessionCookie !== undefined) browser.cookies.set(NAME, sessionCookie);
  const post = async (path: string, fields: Record<string, string> = {}): Promise<Page> => {
    const { csrfToken } = (await browser.get('/auth/csrf')).json<{ csrfToken: string }>();
    return browser.post(`/auth/${path}`, { csrfToken, ...fields });
  };
  const self: Visitor = {
    errors,
    at(library) {
      current.library = library;
      return self;
    },
    async signIn(user, id = 'idp') {
      const started = await post(`signin/${id}`);
      await browser.get(await provider.authorize(started.location ?? '', { user }), { site: 'cross-site' });
    },
    async mailedLink(email) {
      await post('signin/mail', { email });
      return sent.at(-1)?.url ?? '';
    },
    async open(link) {
      await browser.get(link, { site: 'cross-site' });
    },
    session: async () => (await browser.get('/auth/session')).json<Shown | null>(),
    async signOut() {
      await post('signout');
    },
    cookie: () => browser.cookies.get(NAME),
  };
  return self;
}

function configOf(library: Library, world: World, sent: { url: string }[], errors: unknown[]): object {
  return {
    adapter: library === latchkey ? world.ours : world.theirs,
    session: { strategy: 'database' },
    providers: [
      idpConfig(library, provider),
      idpConfig(library, provider, { id: 'other' }),
      {
        id: 'mail',
        name: 'Mail',
        type: 'email',
        maxAge: 3600,
        sendVerificationRequest: (params: { url: string }) => void sent.push(params),
      },
    ],
    callbacks: {
      session: ({ session, user }: { session: Shown; user: { id: unknown } }) => ({
        user: { name: session.user.name, email: session.user.email },
        expires: new Date(session.expires).toISOString(),
        userId: String(user.id),
      }),
    },
    secret: 'a secret that both libraries know',
    trustHost: true,
    logger: { error: (error: unknown) => errors.push(error), warn: () => undefined },
  };
}

const NAME = 'authjs.session-token';

/** Rows of the database. */
export function countsOf(world: World): Promise<Counts> {
  return countRows((sql) => world.rows(sql), world.tables);
}
