import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { available, type FreshPrefix, redis } from '../../../../test/services/index.ts';
import type { Tag } from '../../src/index.ts';
import { ada, github } from '../samples.ts';

/** Resolves the packages' names to their sources. */
const sources = fileURLToPath(new URL('../../../adapter-sql/test/faults/sources.mjs', import.meta.url));

/** An adapter in another process. */
class Other {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, (message: { result?: unknown; error?: string }) => void>();
  #count = 0;

  constructor(child: ChildProcess) {
    this.#child = child;
    child.on('message', (message: { id: number; result?: unknown; error?: string }) =>
      this.#waiting.get(message.id)?.(message),
    );
  }

  static async start(url: string, prefix: string, tag: Tag): Promise<Other> {
    const child = fork(new URL('other.ts', import.meta.url), [url, prefix, tag], {
      // This serialization keeps dates.
      serialization: 'advanced',
      execArgv: ['--import', sources],
    });
    const ended = once(child, 'exit').then(() => Promise.reject(new Error('the process ended before it was ready')));
    await Promise.race([once(child, 'message'), ended]);
    ended.catch(() => undefined);
    return new Other(child);
  }

  async call(method: string, ...args: unknown[]): Promise<unknown> {
    const id = ++this.#count;
    const answer = new Promise<{ result?: unknown; error?: string }>((resolve) => this.#waiting.set(id, resolve));
    this.#child.send({ id, method, args });
    const { result, error } = await answer;
    if (error !== undefined) throw new Error(error);
    return result;
  }

  async stop(): Promise<void> {
    const ended = once(this.#child, 'exit');
    this.#child.disconnect();
    await ended;
  }
}

describe.skipIf(!(await available('redis'))).each(['all', 'user'] as const)(
  'two processes on one Redis, tag %s',
  (tag) => {
    let fresh: FreshPrefix;
    let here: Other;
    let there: Other;
    beforeAll(async () => {
      fresh = await (await redis()).fresh();
      [here, there] = await Promise.all([
        Other.start(fresh.url, fresh.prefix, tag),
        Other.start(fresh.url, fresh.prefix, tag),
      ]);
      await here.call('createUser', ada);
    });
    afterAll(async () => {
      await Promise.all([here.stop(), there.stop()]);
      await fresh.drop();
    });

    it('see new and deleted sessions of the other at once', async () => {
      for (let round = 0; round < 50; round++) {
        const session = { sessionToken: `s${round}`, userId: 'ada', expires: new Date(Date.now() + 60_000) };
        const [one, other] = round % 2 ? [here, there] : [there, here];
        await one.call('createSession', session);
        expect(await other.call('getSessionAndUser', session.sessionToken)).toEqual({ session, user: ada });
        await one.call('deleteSession', session.sessionToken);
        expect(await other.call('getSessionAndUser', session.sessionToken)).toBeNull();
        const { sessionToken, expires: from } = session;
        expect(await other.call('extendSession', { sessionToken, from, to: new Date(from.getTime() + 1) })).toBe(false);
      }
    });

    it('do not restore a session that the other deletes during an extension', async () => {
      for (let round = 0; round < 30; round++) {
        const sessionToken = `race${round}`;
        let from = new Date(Date.now() + 60_000);
        await here.call('createSession', { sessionToken, userId: 'ada', expires: from });
        const extensions = Array.from({ length: 10 }, () => {
          const to = new Date(from.getTime() + 1);
          const extension = here.call('extendSession', { sessionToken, from, to });
          from = to;
          return extension;
        });
        await Promise.all([...extensions, there.call('deleteSession', sessionToken)]);
        for (const one of [here, there]) expect(await one.call('getSessionAndUser', sessionToken)).toBeNull();
      }
    });

    it('link an account to one user only', async () => {
      for (let round = 0; round < 20; round++) {
        const { userId: _, ...account } = { ...github, providerAccountId: `${round}` };
        const results = await Promise.allSettled(
          [here, there, here, there].map((one, index) =>
            one.call(
              'createUserWithAccount',
              { ...ada, id: `${round}-${index}`, email: `${round}@example.com` },
              account,
            ),
          ),
        );
        const created = results.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
        expect(created).toHaveLength(1);
        expect(await there.call('getUserByAccount', account)).toEqual(created[0]);
      }
    });
  },
);
