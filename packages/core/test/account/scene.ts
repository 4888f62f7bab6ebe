import type { AccountOptions, AccountWay, AuthConfig } from '@latchkey/core/types';
import {
  type Application,
  type ApplicationParts,
  application,
  type Browser,
  type MemoryAdapter,
  MemorySessionRecords,
  memoryAdapter,
  type Page,
} from '@latchkey/testing';

/** How sessions are kept. `database` has no records, so a cookie says when the sign-in was. */
export const kinds = ['jwt', 'jwt with records', 'database', 'database with records'] as const;

export type Kind = (typeof kinds)[number];

export type Site = Application<MemoryAdapter>;

/** The parts that an application shares with another one. */
type Shared = Pick<Site, 'adapter'> & Partial<Pick<Site, 'provider' | 'clock'>>;

/** Members that replace those of the configuration. */
type Own = Partial<AuthConfig> | ((parts: ApplicationParts) => Partial<AuthConfig>);

/**
 * Makes an application with the option `account`, two OAuth providers and mailed links.
 *
 * @param before Another one, whose users, clock and provider it shares, or only an adapter. Default: it has its own.
 */
export function makeSite(kind: Kind, account: AccountOptions = {}, own: Own = {}, before?: Shared): Site {
  return application({
    adapter: before?.adapter ?? (memoryAdapter() as MemoryAdapter),
    ...(before?.provider && { provider: before.provider }),
    ...(before?.clock && { clock: before.clock }),
    config: (parts) => ({
      providers: [parts.provider.provider(), parts.provider.provider({ id: 'second', name: 'Second' }), parts.mail],
      account,
      session: {
        strategy: kind.startsWith('jwt') ? 'jwt' : 'database',
        records: kind.endsWith('records') && { store: MemorySessionRecords() },
      },
      ...(typeof own === 'function' ? own(parts) : own),
    }),
  });
}

export const BOB = { user: { sub: 'bob', email: 'bob@example.com', name: 'Bob', email_verified: true } };

/** Posts to a part of the account as a script does, which gets JSON. */
export async function change(app: Site, part: string, fields: object = {}, browser?: Browser): Promise<Page> {
  const by = browser ?? app.browser;
  return by.post(
    `/auth/account/${part}`,
    { csrfToken: await app.csrfToken(by), ...fields },
    { headers: { accept: 'application/json' } },
  );
}

/** Returns the ways to sign in that the visitor has, as a script gets them. */
export async function listed(app: Site, browser: Browser = app.browser): Promise<AccountWay[]> {
  const page = await browser.get('/auth/account', { headers: { accept: 'application/json' } });
  return page.json<{ ways: AccountWay[] }>().ways;
}

/** Adds the account of the second provider to the user who is signed in. */
export async function addSecond(app: Site): Promise<void> {
  await app.signIn({ id: 'second', consent: { user: { sub: 'ada-second', email: 'ada@second.example' } } });
}

/** A place at which a request waits until the test lets it go on. */
export interface Gate {
  readonly opened: Promise<void>;
  open(): void;
}

export function makeGate(): Gate {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}
