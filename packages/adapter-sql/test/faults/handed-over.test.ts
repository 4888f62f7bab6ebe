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

  it('may break before its taker has heard of it, and the process lives', async () => {
    const { Client, begin, thrown, told } = farewells();
    // A connection for each use: so there is one to be handed over each time.
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

/** Connections that tell of an error at once after the pool has handed them over, as when both come in one packet. */
function farewells() {
  const thrown: unknown[] = [];
  const state = { hasBegun: false, count: 0 };
  class Client extends pg.Client {
    // As the pool calls it.
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
          // Node.js would end the process for it.
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
