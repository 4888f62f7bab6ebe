import { afterAll, beforeAll, describe } from 'vitest';
import { accountFlows } from './flows/accounts.ts';
import { flowsAtOnce, type Guards } from './flows/at-once.ts';
import { mailFlows } from './flows/mail.ts';
import { sessionFlows } from './flows/sessions.ts';
import { strategies } from './flows/shop.ts';
import type { OpenStore, OpenStoreFunction } from './store.ts';

export type { Guards };

/**
 * Registers the whole sign-in flows that an application has on an adapter, with database and with JWT sessions.
 *
 * @param open Opens the store; once for all cases, closed after the last.
 * @param guards What the store lacks of the guards that the flows count on.
 */
export function adapterFlows(open: OpenStoreFunction, guards: Guards = {}): void {
  describe.each(strategies)('flows with %s sessions', (strategy) => {
    let opened: OpenStore | undefined;
    const store = (): OpenStore => {
      if (!opened) throw new Error('the store is not open');
      return opened;
    };
    beforeAll(async () => {
      opened = await open();
    });
    afterAll(() => opened?.close());

    describe('accounts', () => accountFlows(store, strategy));
    describe('mailed links', () => mailFlows(store, strategy, guards));
    describe('sessions', () => sessionFlows(store, strategy, guards));
    describe('at once', () => flowsAtOnce(store, strategy, guards));
  });
}
