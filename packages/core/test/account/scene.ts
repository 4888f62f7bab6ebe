import type { AccountOptions, AuthConfig } from '@latchkey/core/types';
import {
  type Application,
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

/** Makes an application with the option `account` and two providers. */
export function makeSite(kind: Kind, account: AccountOptions = {}, config: Partial<AuthConfig> = {}): Site {
  const adapter = memoryAdapter() as MemoryAdapter;
  return application({
    adapter,
    config: ({ provider, mail }) => ({
      providers: [provider.provider(), provider.provider({ id: 'second', name: 'Second' }), mail],
      account,
      session: {
        strategy: kind.startsWith('jwt') ? 'jwt' : 'database',
        records: kind.endsWith('records') && { store: MemorySessionRecords() },
      },
      ...config,
    }),
  });
}

export const BOB = { user: { sub: 'bob', email: 'bob@example.com', name: 'Bob' } };

/** Posts to a part of the account as a script does, which gets JSON. */
export async function change(app: Site, part: string, fields: object = {}, browser?: Browser): Promise<Page> {
  const by = browser ?? app.browser;
  return by.post(
    `/auth/account/${part}`,
    { csrfToken: await app.csrfToken(by), ...fields },
    { headers: { accept: 'application/json' } },
  );
}
