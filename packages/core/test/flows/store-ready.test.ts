import { type Application, application, type MemoryAdapter, memoryAdapter } from '@latchkey/testing';
import { describe, expect, it } from 'vitest';
import type { StoreUse } from '../../src/types/adapter.ts';

/** An application whose adapter checks its tables before a sign-in. */
function shop(ready: (use: StoreUse) => void): Application<MemoryAdapter> {
  const adapter = { ...memoryAdapter(), ready } as MemoryAdapter;
  return application({ adapter, config: { debug: true, session: { strategy: 'database' } } });
}

describe('an adapter with `ready`', () => {
  it('receives what the configuration needs', async () => {
    const uses: StoreUse[] = [];
    const app = shop((use) => void uses.push(use));
    await app.signIn();
    expect(uses).toEqual([{ sessions: true, passkeys: false }]);
  });

  it('stops a sign-in before it starts if a table is missing, and the log says so', async () => {
    const app = shop(() => {
      throw Object.assign(new Error('the table `users` is missing'), { code: 'ERR_MISSING_TABLE' });
    });
    const page = await app.startSignIn();
    expect(page.redirect?.pathname).toBe('/auth/error');
    expect(app.log.types()).toEqual(['AdapterError']);
  });

  it.each([
    ['an error without a code', new Error('the store is down')],
    ['an error with another code', Object.assign(new Error('the store is down'), { code: 'ECONNREFUSED' })],
    ['a value that is not an error', { code: 'ERR_MISSING_TABLE' }],
  ])('does not stop a sign-in with %s: the store may be back when the visitor returns', async (_, error) => {
    const app = shop(() => {
      throw error;
    });
    await app.signIn();
    expect(await app.session()).not.toBeNull();
    expect(app.log.types()).toEqual([]);
    expect(app.log.debugged).toContainEqual([
      'the store did not answer at the start of a sign-in',
      expect.objectContaining({ error: expect.anything() }),
    ]);
  });
});
