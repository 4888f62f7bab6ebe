import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import type { AuthConfig, VaultEntry } from '@latchkey/core/types';
import type { OidcProvider } from '@latchkey/testing/oidc-provider';
import { settingsFor } from '../../packages/core/src/config/settings.ts';
import { openEntry, sealEntry } from '../../packages/core/src/tokens/entry.ts';
import { application, idp, startProvider } from '../../packages/core/test/flows-real/scene.ts';
import type { Order, Result } from './process.ts';
import { type OpenedStore, openStore } from './stores.ts';

/** A database that processes share. */
export interface Place {
  readonly kind: string;
  readonly url: string;
  drop(): unknown;
}

/** A provider, a store, and a user who has signed in. The access token of the user has expired. */
export interface Site {
  readonly provider: OidcProvider;
  readonly store: OpenedStore;
  readonly userId: string;
  /** The only entry of the vault. */
  entry(): Promise<VaultEntry>;
  /** Signs the user in again. */
  signIn(): Promise<void>;
  /** Makes the access token of the entry count as expired. */
  expire(): Promise<void>;
  /** Returns how many refresh requests the provider has got. */
  refreshes(): number;
  /** Starts a process. */
  start(clock?: number): Promise<Member>;
  close(): Promise<void>;
}

/** A process. */
export interface Member {
  send(order: Omit<Order, 'userId'>): Promise<Result[]>;
  /** Sends an order that kills the process. */
  kill(die: NonNullable<Order['die']>): Promise<unknown>;
}

/** Starts a provider with rotation and reuse detection, and signs a user in. */
export async function startSite(place: Place): Promise<Site> {
  const provider = await startProvider({}, { rotateRefreshTokens: true });
  const store = await openStore(place.kind, place.url, { DatabaseSync });
  const { adapter, vault } = store;
  const entryOf = { ...idp(provider.issuer), offline: true };
  const app = application(entryOf, { config: { adapter, tokens: { store: vault } } });
  await app.signIn();
  const user = await adapter.getUserByEmail?.('ada@example.com');
  const children: ChildProcess[] = [];
  const key = { provider: 'idp', providerAccountId: 'user-ada' };
  const site: Site = {
    provider,
    store,
    userId: String(user?.id),
    async entry() {
      const entry = await vault.read(key);
      if (!entry) throw new Error(`no entry: ${app.log}`);
      return entry;
    },
    async signIn() {
      await app.stranger().signIn();
    },
    async expire() {
      const entry = await site.entry();
      const settings = settingsFor(app.config as AuthConfig);
      const opened = await openEntry(settings, entry);
      if (!opened) throw new Error('the entry does not open');
      const past = { issuedAt: Date.now() - 7_200_000, expiresAt: Date.now() - 3_600_000 };
      const next = await sealEntry(settings, { ...opened.tokens, ...past }, entry.version);
      if (!(await vault.write(next, entry.version))) throw new Error('the entry was not written');
      // Otherwise the row would have newer tokens.
      await adapter.updateAccount?.({ ...key, type: 'oidc', userId: site.userId, expires_at: 1 });
    },
    refreshes: () => provider.tokenRequests.filter((grant) => grant === 'refresh_token').length,
    async start(clock = 0) {
      const sources = fileURLToPath(new URL('../../packages/adapter-sql/test/faults/sources.mjs', import.meta.url));
      const args = [place.kind, place.url, provider.issuer, String(clock)];
      const child = fork(new URL('process.ts', import.meta.url), args, { execArgv: ['--import', sources] });
      children.push(child);
      const gone = once(child, 'exit').then((how) => Promise.reject(new Error(`the process ended: ${how}`)));
      gone.catch(() => undefined);
      await Promise.race([once(child, 'message'), gone]);
      return {
        async send(order) {
          const answer = once(child, 'message');
          child.send({ userId: site.userId, ...order });
          const [results] = await Promise.race([answer, gone]);
          return results as Result[];
        },
        async kill(die) {
          const exited = once(child, 'exit');
          child.send({ userId: site.userId, calls: 1, die });
          return exited;
        },
      };
    },
    async close() {
      for (const child of children) if (child.connected) child.disconnect();
      await store.close();
      await provider.close();
      await place.drop();
    },
  };
  await site.expire();
  return site;
}
