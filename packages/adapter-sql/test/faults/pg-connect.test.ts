import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { available, type Fresh, postgres } from '../../../../test/services/index.ts';
import { SqlAdapter } from '../../src/index.ts';

describe.skipIf(!(await available('postgres')))('a connection of pg that is being handed over', () => {
  let fresh: Fresh;

  beforeAll(async () => {
    fresh = await (await postgres()).fresh();
  });

  afterAll(() => fresh.drop());

  it('may break before `connect()` resolves, and the process survives', async () => {
    const { Client, begin, thrown, told } = farewells();
    // A new connection for each use.
    const pool = new pg.Pool({ connectionString: fresh.url, max: 1, maxUses: 1, Client });
    const adapter = SqlAdapter(pool);
    const email = 'ada@example.com';
    const account = { provider: 'fake', providerAccountId: '1', type: 'oauth', userId: 'ada' } as const;
    expect(await adapter.getUserByEmail(email)).toBeNull();
    begin();
    const user = await adapter.createUserWithAccount({ id: 'ada', email, emailVerified: null }, account);
    expect(user.email).toBe(email);
    expect(told()).toBeGreaterThan(0);
    expect(thrown).toEqual([]);
    await pool.end();
  });
});

/** Connections that emit an error directly after the pool has returned them, as if both came in one packet. */
function farewells() {
  const thrown: unknown[] = [];
  const state = { hasBegun: false, count: 0 };
  class Client extends pg.Client {
    // The pool calls it like this.
    override connect(): Promise<this>;
    override connect(callback: (error: Error, client: pg.Client) => void): void;
    override connect(callback?: (error: Error, client: pg.Client) => void): unknown {
      return super.connect((error: Error) => {
        callback?.(error, this);
        if (!state.hasBegun) return;
        state.count += 1;
        try {
          this.emit('error', new Error('terminating connection due to unexpected postmaster exit'));
        } catch (uncaught) {
          // Without a listener, Node.js ends the process.
          thrown.push(uncaught);
        }
      });
    }
  }
  const begin = (): void => {
    state.hasBegun = true;
  };
  return { Client, begin, thrown, told: () => state.count };
}
