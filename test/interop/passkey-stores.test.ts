import { DatabaseSync } from 'node:sqlite';
import { RedisAdapter } from '@latchkey/adapter-redis';
import { SqlAdapter } from '@latchkey/adapter-sql';
import type { Adapter } from '@latchkey/core/adapters';
import { SoftwareAuthenticator } from '@latchkey/testing';
import mysql from 'mysql2/promise';
import pg from 'pg';
import { createClient } from 'redis';
import { describe, expect, it } from 'vitest';
import { type Door, doors } from '../../packages/core/test/flows/doors.ts';
import { passkeyScene } from '../../packages/core/test/flows/passkey-scene.ts';
import { leadsTo } from '../../packages/core/test/flows/scene.ts';
import { available, mariadb, postgres, redis } from '../services/index.ts';

const [door] = doors as [Door];

interface Store {
  readonly adapter: Adapter;
  close(): Promise<unknown>;
}

const stores: Record<string, () => Promise<Store>> = {
  async SQLite() {
    const database = new DatabaseSync(':memory:');
    return { adapter: SqlAdapter(database), close: async () => database.close() };
  },
  ...((await available('postgres')) && {
    async PostgreSQL() {
      const fresh = await (await postgres()).fresh();
      const pool = new pg.Pool({ connectionString: fresh.url, max: 2 });
      return { adapter: SqlAdapter(pool), close: () => pool.end().then(() => fresh.drop()) };
    },
  }),
  ...((await available('mariadb')) && {
    async MariaDB() {
      const fresh = await (await mariadb()).fresh();
      const pool = mysql.createPool({ uri: fresh.url, connectionLimit: 2 });
      return { adapter: SqlAdapter(pool), close: () => pool.end().then(() => fresh.drop()) };
    },
  }),
  ...((await available('redis')) && {
    async Redis() {
      const fresh = await (await redis()).fresh();
      const client = await createClient({ url: fresh.url }).connect();
      const adapter = RedisAdapter(client, { prefix: fresh.prefix });
      return { adapter, close: () => fresh.drop().then(() => client.close()) };
    },
  }),
};

describe.each(Object.entries(stores))('passkeys in %s', (_, open) => {
  it('are made, added, used, refused and counted', async () => {
    const store = await open();
    try {
      const app = passkeyScene(door, {}, { adapter: store.adapter as never });
      expect(leadsTo(await app.register())).toBe('/');
      const key = new SoftwareAuthenticator({ algorithm: 'EdDSA', transports: ['usb'] });
      expect(leadsTo(await app.add({ authenticator: key }))).toBe('/');
      const clone = key.clone();
      for (const authenticator of [app.phone, key, key]) {
        const browser = app.visitor();
        expect(leadsTo(await app.enter({ browser, authenticator }))).toBe('/');
        expect(await app.session(browser)).toMatchObject({ user: { email: 'ada@example.com' } });
      }
      const refused = '/auth/signin?error=WebAuthnVerificationError';
      expect(leadsTo(await app.enter({ browser: app.visitor(), authenticator: clone }))).toBe(refused);
      const { options } = await app.options({ email: 'ada@example.com' }, app.visitor());
      expect(options.allowCredentials?.map(({ id }) => id).sort()).toEqual(
        [app.phone, key].map(({ passkeys }) => passkeys[0]?.id).sort(),
      );
      const browser = app.visitor();
      const again = { browser, authenticator: new SoftwareAuthenticator() };
      expect(leadsTo(await app.register('ada@example.com', again))).toBe(refused);
      expect(app.log.types()).toEqual(['WebAuthnVerificationError', 'WebAuthnVerificationError']);
    } finally {
      await store.close();
    }
  });

  it('answer a challenge once, also by copied cookies', async () => {
    const store = await open();
    try {
      const app = passkeyScene(door, {}, { adapter: store.adapter as never });
      await app.register();
      const browser = app.visitor();
      const { options } = await app.options({ action: 'authenticate' }, browser);
      const answer = app.phone.get(options, browser.origin);
      const copy = browser.clone();
      await app.answer('authenticate', answer, { browser });
      const page = await app.answer('authenticate', answer, { browser: copy });
      expect(leadsTo(page)).toBe('/auth/signin?error=InvalidCheck');
    } finally {
      await store.close();
    }
  });
});
