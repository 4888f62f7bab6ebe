import type { SessionRecords } from '@latchkey/core/types';
import { serveSite } from './logout-site.ts';

/** A process of a site. Its arguments are origin, client and issuer. The test that starts it has the records. */

/** A step of the record store, which the test carries out. */
export interface StepRequest {
  readonly id: number;
  readonly step: keyof SessionRecords;
  readonly args: readonly unknown[];
}

const [origin = '', clientId = '', issuer = ''] = process.argv.slice(2);
const waiting = new Map<number, (result: never) => void>();

function remote(step: keyof SessionRecords) {
  return (...args: readonly unknown[]): Promise<never> =>
    new Promise((resolve) => {
      const request: StepRequest = { id: waiting.size, step, args };
      waiting.set(request.id, resolve);
      process.send?.(request);
    });
}

process.on('message', ({ id, result }: { id: number; result: unknown }) => waiting.get(id)?.(result as never));

const store: SessionRecords = {
  create: remote('create'),
  check: remote('check'),
  find: remote('find'),
  remove: remote('remove'),
  endBefore: remote('endBefore'),
};

const site = await serveSite({ origin, clientId, issuer, store });
process.on('disconnect', () => site.close());
process.send?.(site.port);
