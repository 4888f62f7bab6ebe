import { afterAll, beforeAll, describe } from 'vitest';
import { accountFlows } from './flows/accounts.ts';
import { flowsAtOnce, type Guards } from './flows/at-once.ts';
import { codeFlows } from './flows/codes.ts';
import { mailFlows } from './flows/mail.ts';
import { sessionFlows } from './flows/sessions.ts';
import { strategies } from './flows/shop.ts';
import { type OpenStoreWithVault, tokenFlows } from './flows/tokens.ts';
import type { OpenStore, OpenStoreFunction } from './store.ts';
import type { Extent } from './suite.ts';

/**
 * Registers the whole sign-in flows that an application has on an adapter.
 *
 * @param open Opens the store: once for all cases. It is closed after the last case.
 * @param guards The guards that the flows rely on and the store lacks. `extent` says how much runs. The whole runs with
 * database sessions and with JWT sessions, the sample only with database sessions. Default: the whole.
 */
export function adapterFlows(
  open: OpenStoreFunction,
  { extent = 'whole', ...guards }: Guards & { readonly extent?: Extent } = {},
): void {
  describe.each(extent === 'whole' ? strategies : ['database' as const])('flows with %s sessions', (strategy) => {
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
    describe('mailed codes', () => codeFlows(store, strategy, guards));
    describe('sessions', () => sessionFlows(store, strategy, guards));
    // With JWT sessions, fewer of the same calls come at once.
    if (strategy === 'database') describe('at once', () => flowsAtOnce(store, strategy, guards, extent));
  });
}

/** Registers the flows of provider tokens, for a store whose database has a token vault. */
export function adapterTokenFlows(open: () => Promise<OpenStoreWithVault>): void {
  describe.each(strategies)('provider tokens with %s sessions', (strategy) => {
    let opened: OpenStoreWithVault | undefined;
    beforeAll(async () => {
      opened = await open();
    });
    afterAll(() => opened?.close());
    tokenFlows(() => {
      if (!opened) throw new Error('the store is not open');
      return opened;
    }, strategy);
  });
}
