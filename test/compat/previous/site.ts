import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { AuthConfig } from '@latchkey/core';
import { Browser, DEFAULT_SECRET, FakeProvider } from '@latchkey/testing';
import type { Version } from './packages.ts';

/** How a site keeps sessions. */
export type Strategy = 'jwt' | 'database';

/** A site that several versions answer, with one database. */
export interface Site {
  readonly provider: FakeProvider;
  /** The links of the mails so far. */
  readonly links: string[];
  /** A visitor whose next requests the given version answers. */
  visitor(): Visitor;
  close(): void;
}

/** A visitor of a {@link Site}. */
export interface Visitor {
  readonly browser: Browser;
  use(version: Version): void;
  begin(provider: string, fields?: Readonly<Record<string, string>>): Promise<string>;
  /** Agrees at the provider, and comes back. */
  comeBack(redirect: string): Promise<void>;
  signOut(): Promise<void>;
  /** The address in the session; `undefined` without a session. */
  email(): Promise<string | undefined>;
}

/** Makes a site. The first version creates the tables, as a deployment does. */
export function makeSite(strategy: Strategy, versions: readonly Version[]): Site {
  const provider = new FakeProvider();
  const links: string[] = [];
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-previous-'));
  const databases = versions.map(() => new DatabaseSync(join(folder, 'site.db'), { timeout: 5000 }));
  const configs = new Map(
    versions.map((version, index) => {
      const idp = {
        id: 'idp',
        name: 'Provider',
        type: 'oidc',
        issuer: provider.issuer,
        checks: ['pkce', 'state', 'nonce'],
      };
      const client = { clientId: 'client', clientSecret: DEFAULT_SECRET, [version.customFetch]: provider.fetch };
      const sendVerificationRequest = ({ url }: { url: string }): void => void links.push(url);
      const config = {
        secret: 'a secret that both versions know, 32+',
        trustHost: true,
        providers: [
          { ...idp, ...client },
          { id: 'mail', name: 'Mail', type: 'email', sendVerificationRequest },
        ],
        adapter: version.SqlAdapter(databases[index] as DatabaseSync),
        session: { strategy },
        rateLimit: false,
      };
      return [version, config as unknown as AuthConfig];
    }),
  );
  const origin = 'http://localhost:3000';
  return {
    provider,
    links,
    visitor() {
      let current = versions[0] as Version;
      const answer = (request: Request): Promise<Response> =>
        current.Auth(request, configs.get(current) as Omit<AuthConfig, 'raw'>);
      const browser = new Browser(answer, { origin });
      const csrfToken = async (): Promise<string> =>
        (await browser.get('/auth/csrf')).json<{ csrfToken: string }>().csrfToken;
      return {
        browser,
        use: (version) => {
          current = version;
        },
        async begin(id, fields = {}) {
          const form = { csrfToken: await csrfToken(), callbackUrl: '/inside', ...fields };
          return (await browser.post(`/auth/signin/${id}`, form)).location ?? '';
        },
        async comeBack(redirect) {
          await browser.get(await provider.authorize(redirect), { site: 'cross-site' });
        },
        async signOut() {
          await browser.post('/auth/signout', { csrfToken: await csrfToken() });
        },
        async email() {
          const session = (await browser.get('/auth/session')).json<{ user?: { email?: string } } | null>();
          return session?.user?.email;
        },
      };
    },
    close() {
      for (const database of databases) database.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
