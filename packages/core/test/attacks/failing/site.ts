import { type Consent, type FakeProvider, type MemoryAdapter, memoryAdapter, type Page } from '@latchkey/testing';
import { wayId } from '../../../src/account/ways.ts';
import { decode, encode } from '../../../src/jwt.ts';
import Credentials from '../../../src/providers/credentials.ts';
import Passkey from '../../../src/providers/passkey.ts';
import { processCounters } from '../../../src/rate-limit/memory.ts';
import { customFetch } from '../../../src/symbols.ts';
import type { Adapter } from '../../../src/types/adapter.ts';
import type { AuthConfig, EventCallbacks } from '../../../src/types/config.ts';
import { type Door, doors } from '../../flows/doors.ts';
import { type PasskeyScene, passkeyScene } from '../../flows/passkey-scene.ts';
import { fakeProvider, oauth, oidc } from '../../flows/scene.ts';

/** Which function of the application's fails, and how. */
export class Fuse {
  /** Functions that were called since {@link Fuse.watch}. */
  readonly called = new Set<string>();
  /** All that there are. */
  readonly names = new Set<string>();
  #name: string | undefined;
  #fail: () => unknown = () => undefined;

  /** A function that does its work, until its fuse blows. */
  at<Args extends unknown[], Result>(name: string, work: (...args: Args) => Result): (...args: Args) => Result {
    this.names.add(name);
    return (...args) => {
      this.called.add(name);
      return this.#name === name ? (this.#fail() as Result) : work(...args);
    };
  }

  blow(name: string, fail: () => unknown): void {
    this.#name = name;
    this.#fail = fail;
  }

  mend(): void {
    this.#name = undefined;
  }
}

/** In what applications differ: where their sessions are, and whether their store has the optional methods. */
export interface Kind {
  readonly strategy: 'jwt' | 'database';
  readonly optional: boolean;
  /** Default: none. */
  readonly features?: Features | undefined;
}

/** `account`: users manage their accounts. `guided`: the same, with `linking: 'guided'`. */
export type Features = 'account' | 'guided';

export type ProviderId = 'fake' | 'plain';

/** An application all of whose functions can fail. */
export interface Site {
  readonly app: PasskeyScene;
  readonly fuse: Fuse;
  readonly adapter: MemoryAdapter;
  /** By id. */
  readonly fakes: Readonly<Record<ProviderId, FakeProvider>>;
  /** The link and the code of each mail; empty if it is absent. */
  readonly mails: string[];
  /** The errors in the log. */
  readonly log: Error[];
  /** Signs in at a provider, if the page leads there. */
  goThrough(id: ProviderId, started: Page, consent?: Consent): Promise<Page>;
  /** The id of a way to sign in. It is read from the rows, because the functions of the application may fail. */
  wayId(provider: string): Promise<string>;
}

// Keys take their time to be made.
const fakes = { fake: fakeProvider(), plain: fakeProvider({ oidc: false, issuer: 'https://plain.test' }) };
const door = doors[0] as Door;
const nothing = (): void => undefined;

/** Functions that an application asks once, because it keeps the answer, or about which it logs once. */
const ASKED_ONCE = /^(logger\.|rateLimit\.|customFetch$|simpleWebAuthn$)/;

/** Repeats the same step from the state after `before`. The application is made once, and `before` runs once. */
export async function stageOf(
  kind: Kind,
  before: (site: Site) => Promise<unknown>,
): Promise<(name: string) => Promise<Site>> {
  const begun = async (): Promise<Site> => {
    const site = siteOf(kind);
    await before(site);
    site.log.length = 0;
    site.fuse.called.clear();
    return site;
  };
  const site = await begun();
  const { adapter, mails, log, fuse } = site;
  const { browser } = site.app;
  const [rows, links, jar] = [structuredClone(adapter.store), [...mails], browser.cookies.all()];
  return async (name) => {
    processCounters.clear();
    // The providers' clock goes on. ID tokens from the application's future are refused.
    site.app.clock.set(new Date());
    if (ASKED_ONCE.test(name)) return begun();
    for (const [table, map] of Object.entries(structuredClone(rows)) as [keyof typeof rows, Map<string, never>][]) {
      adapter.store[table].clear();
      for (const [key, row] of map) adapter.store[table].set(key, row);
    }
    mails.splice(0, mails.length, ...links);
    browser.cookies.clear();
    for (const cookie of jar) browser.cookies.set(cookie.name, cookie.value);
    log.length = 0;
    fuse.called.clear();
    return site;
  };
}

export function siteOf({ strategy, optional, features }: Kind): Site {
  const fuse = new Fuse();
  const adapter = memoryAdapter({ optional: optional as true });
  const mails: string[] = [];
  const log: Error[] = [];
  const config: Partial<AuthConfig> = {
    adapter: adapterWith(fuse, adapter),
    session: {
      strategy,
      updateAge: 0,
      generateSessionToken: fuse.at('generateSessionToken', () => crypto.randomUUID()),
    },
    callbacks: callbacksWith(fuse),
    events: eventsWith(fuse),
    ...(strategy === 'jwt' && {
      jwt: { encode: fuse.at('jwt.encode', encode), decode: fuse.at('jwt.decode', decode) },
    }),
    logger: {
      error: fuse.at('logger.error', (error) => void log.push(error)),
      warn: fuse.at('logger.warn', nothing),
      debug: fuse.at('logger.debug', nothing),
    },
    // Short, so that there is something to warn of; another one for each, so that they share no counters.
    secret: crypto.randomUUID().slice(0, 8),
    rateLimit: {
      credentials: { identifier: fuse.at('rateLimit.identifier', ({ name }) => String(name)) },
      store: {
        take: fuse.at('rateLimit.take', () => null),
        release: fuse.at('rateLimit.release', nothing),
      },
    },
  };
  const providers = providersWith(fuse, adapter, mails);
  const own = features ? accountOptions(fuse, mails, features) : {};
  const app = passkeyScene(door, {}, { config: { ...config, ...own, providers }, adapter });
  return {
    ...{ app, fuse, adapter, fakes, mails, log },
    async goThrough(id, started, consent) {
      const isOnTheWay = started.location?.startsWith(fakes[id].issuer) === true;
      return isOnTheWay ? app.finish(await fakes[id].authorize(started.location ?? '', consent)) : started;
    },
    async wayId(provider) {
      const account = adapter.dump().accounts.find((one) => one.provider === provider);
      return account ? wayId(account) : '';
    },
  };
}

function accountOptions(fuse: Fuse, mails: string[], features: Features): Partial<AuthConfig> {
  return {
    ...(features === 'guided' && { linking: 'guided' }),
    account: {
      hasPassword: fuse.at('account.hasPassword', () => true),
      beforeDelete: fuse.at('account.beforeDelete', nothing),
      exportMore: fuse.at('account.exportMore', () => ({ orders: 3 })),
    },
    mail: {
      send: fuse.at('mail.send', ({ text }) => {
        const [link = ''] = /http\S+account\/\S+/.exec(text) ?? [];
        const [code = ''] = /\b\d{4} \d{4}\b/.exec(text) ?? [];
        mails.push(link, code);
      }),
    },
  };
}

function providersWith(fuse: Fuse, adapter: MemoryAdapter, mails: string[]): AuthConfig['providers'] {
  const account = fuse.at('account', ({ access_token }: { access_token?: string | undefined }) => ({ access_token }));
  const { fake, plain } = fakes;
  return [
    Passkey({
      simpleWebAuthn: fuse.at('simpleWebAuthn', () => import('@simplewebauthn/server')),
      unverifiedEmail: 'allow',
    }),
    oidc(fake, {
      account,
      profile: fuse.at('profile', ({ sub, name, email }) => ({ id: String(sub), name, email })),
      [customFetch]: fuse.at('customFetch', fake.fetch),
    }),
    oauth(plain, {
      userinfo: {
        url: plain.endpoints.userinfo,
        request: fuse.at('userinfo.request', async () => ({ sub: 'ada', name: 'Ada', email: 'ada@example.com' })),
      },
      profile: ({ sub, name, email }) => ({ id: String(sub), name, email }),
    }),
    {
      id: 'mail',
      name: 'Mail',
      type: 'email',
      code: true,
      sendVerificationRequest: fuse.at('sendVerificationRequest', ({ url, code }) => void mails.push(url, code ?? '')),
      generateVerificationToken: fuse.at('generateVerificationToken', () => crypto.randomUUID()),
      normalizeIdentifier: fuse.at('normalizeIdentifier', (typed: string) => typed.toLowerCase()),
    },
    Credentials({
      authorize: fuse.at('authorize', () => ({ id: String(adapter.dump().users[0]?.id), email: 'ada@example.com' })),
    }),
  ];
}

function callbacksWith(fuse: Fuse): AuthConfig['callbacks'] {
  return {
    signIn: fuse.at('callbacks.signIn', () => true),
    redirect: fuse.at('callbacks.redirect', ({ url, baseUrl }) => (url.startsWith('/') ? baseUrl + url : url)),
    jwt: fuse.at('callbacks.jwt', ({ token }) => token),
    session: fuse.at('callbacks.session', ({ session }) => ({
      user: { email: session.user?.email },
      expires: new Date(session.expires).toISOString(),
    })),
  };
}

/** Without the events that only records of sessions, other libraries and provider tokens cause. */
const EVENTS = Object.keys({
  signIn: true,
  signOut: true,
  createUser: true,
  updateUser: true,
  linkAccount: true,
  unlinkAccount: true,
  changeEmail: true,
  deleteUser: true,
  session: true,
} satisfies Record<Exclude<keyof EventCallbacks, 'sessionEnded' | 'legacySession' | `tokens${string}`>, true>);

function eventsWith(fuse: Fuse): AuthConfig['events'] {
  return Object.fromEntries(EVENTS.map((event) => [event, fuse.at(`events.${event}`, nothing)]));
}

function adapterWith(fuse: Fuse, adapter: MemoryAdapter): Adapter {
  const methods = Object.entries(adapter).filter(
    (entry): entry is [string, (...args: unknown[]) => unknown] =>
      typeof entry[1] === 'function' && entry[0] !== 'dump' && entry[0] !== 'fail',
  );
  return Object.fromEntries(methods.map(([name, method]) => [name, fuse.at(`adapter.${name}`, method)]));
}
