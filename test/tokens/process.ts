import { DatabaseSync } from 'node:sqlite';
import { customFetch } from '@latchkey/core';
import { TokensUnavailable } from '@latchkey/core/errors';
import { tokensOf } from '@latchkey/core/tokens';
import type { TokenVault } from '@latchkey/core/types';
import { openStore } from './stores.ts';

/**
 * A process that uses provider tokens. Its arguments are the kind of store, its address, the issuer, and by how many
 * milliseconds its clock is wrong. Each message asks for a number of simultaneous calls, and is answered with their
 * results.
 */

/** A message of the test. */
export interface Order {
  readonly userId: string;
  readonly calls: number;
  /**
   * The process is killed after this step. `request`: half of the refresh request is sent. `answer`: the provider has
   * answered, and nothing is written.
   */
  readonly die?: 'lease' | 'request' | 'answer' | 'write' | undefined;
}

/** The result of a call: the access token, or the code of the failure. */
export type Result = { readonly token: string } | { readonly code: string };

const [kind = '', url = '', issuer = '', clock = '0'] = process.argv.slice(2);
skewClock(Number(clock));
const { adapter, vault } = await openStore(kind, url, { DatabaseSync });
let fatal: Order['die'];

function dieAfter(step: NonNullable<Order['die']>): void {
  if (fatal === step) process.kill(process.pid, 'SIGKILL');
}

const mortal: TokenVault = {
  read: (key) => vault.read(key),
  find: (userId, provider) => vault.find(userId, provider),
  remove: (key) => vault.remove(key),
  async lease(...args) {
    const taken = await vault.lease(...args);
    if (taken) dieAfter('lease');
    return taken;
  },
  async write(...args) {
    const isWritten = await vault.write(...args);
    dieAfter('write');
    return isWritten;
  },
};

const tokens = tokensOf(
  {
    adapter,
    tokens: { store: mortal },
    secret: 'the secret of the application, 32+',
    trustHost: true,
    logger: { error: (error) => console.error(error), warn: () => undefined },
    providers: [
      {
        id: 'idp',
        name: 'Identity provider',
        type: 'oidc',
        issuer,
        clientId: 'app',
        clientSecret: 'a secret of at least 32 characters, for HS256 too',
        [customFetch]: async (input, init) => {
          const isFatal = init?.method === 'POST' && fatal === 'request';
          const answer = await fetch(input, isFatal ? { ...init, ...halfOf(String(init.body)) } : init);
          if (init?.method === 'POST') dieAfter('answer');
          return answer;
        },
      },
    ],
  },
  {},
);

/** A body whose first half is sent before the process is killed. */
function halfOf(body: string): object {
  const half = new TextEncoder().encode(body.slice(0, body.length / 2));
  const stream = new ReadableStream({
    start: (controller) => controller.enqueue(half),
    pull: () => void setTimeout(dieAfter, 200, 'request'),
  });
  return { body: stream, duplex: 'half' };
}

async function call(userId: string): Promise<Result> {
  try {
    return { token: (await tokens.get('idp', { userId })).accessToken };
  } catch (error) {
    return { code: error instanceof TokensUnavailable ? error.code : String(error) };
  }
}

/** Moves the clock of this process. */
function skewClock(offset: number): void {
  if (offset === 0) return;
  const real = Date;
  globalThis.Date = class extends real {
    constructor(...args: unknown[]) {
      super(...((args.length === 0 ? [real.now() + offset] : args) as [number]));
    }

    static override now(): number {
      return real.now() + offset;
    }
  } as DateConstructor;
}

process.on('message', async ({ userId, calls, die }: Order) => {
  fatal = die;
  process.send?.(await Promise.all(Array.from({ length: calls }, () => call(userId))));
});
process.on('disconnect', () => process.exit(0));
process.send?.('ready');
