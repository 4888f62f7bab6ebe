import { readFileSync } from 'node:fs';
import { createClient, createClientPool } from 'redis';
import { describe, expect, it } from 'vitest';
import { available, redis } from '../../../test/services/index.ts';
import { commandOf, listOf, textOf } from '../src/client.ts';
import { RedisAdapter } from '../src/index.ts';
import { nodeRedis } from './clients.ts';
import { ada, rejection } from './samples.ts';
import { subject } from './subject.ts';

/** Returns a method that records its arguments. */
function noting(): { calls: unknown[][]; method: (...args: unknown[]) => Promise<string> } {
  const calls: unknown[][] = [];
  return {
    calls,
    method: async (...args) => {
      calls.push(args);
      return 'OK';
    },
  };
}

describe('a command', () => {
  it('is sent as the client expects it', async () => {
    const { calls, method } = noting();
    const shapes = [
      { sendCommand: method },
      { sendCommand: method, nodeClient: method },
      { sendCommand: method, getMasterNode: method },
      // ioredis also has a method of this name, with other arguments.
      { call: method, sendCommand: () => Promise.reject(new Error('not this one')) },
    ];
    for (const shape of shapes) expect(await commandOf(shape as never)('k', 'SET', 'k', 'v')).toBe('OK');
    expect(calls).toEqual([
      [['SET', 'k', 'v']],
      ['k', false, ['SET', 'k', 'v']],
      [false, ['SET', 'k', 'v']],
      ['SET', 'k', 'v'],
    ]);
  });

  it('rejects if a client throws', async () => {
    const throwing = (): never => {
      throw new Error('at once');
    };
    for (const shape of [{ sendCommand: throwing }, { call: throwing }])
      await expect(commandOf(shape as never)('k', 'GET', 'k')).rejects.toThrow('at once');
  });

  it('has replies that are read in each form', () => {
    expect([null, undefined, 'a', Buffer.from('ä'), 5].map(textOf)).toEqual([null, null, 'a', 'ä', '5']);
    expect(listOf(['a', null, Buffer.from('b')])).toEqual(['a', null, 'b']);
    expect(listOf(new Set(['a']))).toEqual(['a']);
    expect(listOf(null)).toEqual([]);
  });
});

describe.skipIf(!(await available('redis')))('RedisAdapter', () => {
  const fresh = subject();

  it('accepts a pool of clients', async () => {
    const pool = createClientPool({ url: (await redis()).url });
    await pool.connect();
    const adapter = RedisAdapter(pool, { prefix: fresh().prefix });
    await adapter.createUser(ada);
    expect(await adapter.getUserByEmail(ada.email)).toStrictEqual(ada);
    await pool.close();
  });

  it('does not connect a client that is not connected', async () => {
    const client = createClient({ url: (await redis()).url });
    const adapter = RedisAdapter(client, { prefix: fresh().prefix });
    await expect(adapter.getUser('ada')).rejects.toThrow('The client is closed');
    expect(client.isOpen).toBe(false);
    await client.connect();
    expect(await adapter.getUser('ada')).toBeNull();
    client.destroy();
  });

  it('sends its scripts to a server that has not cached them', async () => {
    const names: string[] = [];
    const spying = {
      sendCommand: (args: string[]) => {
        names.push(args[0] ?? '');
        // Sends an unknown SHA-1, as if the server had not cached the script.
        const strange = args[0] === 'EVALSHA' && names.length === 1;
        return fresh().send(...(strange ? ['EVALSHA', '0'.repeat(40), ...args.slice(2)] : args));
      },
    };
    const adapter = RedisAdapter(spying, { prefix: fresh().prefix });
    await adapter.createUser(ada);
    expect(await adapter.getUserByEmail(ada.email)).toStrictEqual(ada);
    expect(names).toEqual(['EVALSHA', 'EVAL', 'EVALSHA']);
  });

  it('passes on errors of the server', async () => {
    const { prefix } = fresh();
    const adapter = RedisAdapter(fresh().client, { prefix });
    await adapter.createUser(ada);
    const [list] = (await fresh().keys()).filter((key) => key.includes(':user:'));
    await fresh().send('DEL', prefix + list);
    await fresh().send('LPUSH', prefix + list, 'x');
    expect(String(await rejection(() => adapter.getUser('ada')))).toContain('WRONGTYPE');
  });

  it('only needs the rights that the README names', async () => {
    const admin = fresh();
    const name = `lk_${crypto.randomUUID()}`;
    const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
    const rights = /\*\*Rights\*\*[^#]*/.exec(readme)?.[0].match(/\+[a-z]+/g) ?? [];
    expect(rights.length).toBeGreaterThan(10);
    await admin.send('ACL', 'SETUSER', name, 'on', '>secret', `~${admin.prefix}*`, ...rights);
    try {
      const url = new URL((await redis()).url);
      [url.username, url.password] = [name, 'secret'];
      const { client, close } = await nodeRedis(url.href);
      for (const tag of ['all', 'user'] as const) {
        const adapter = RedisAdapter(client, { prefix: `${admin.prefix}${tag}:`, tag });
        await adapter.createUser(ada);
        await adapter.updateUser({ id: 'ada', email: 'new@example.com' });
        const expires = new Date(Date.now() - 1);
        await adapter.createSession({ sessionToken: 's', userId: 'ada', expires });
        expect(await adapter.getSessionAndUser('s')).not.toBeNull();
        await adapter.createVerificationToken({ identifier: 'i', token: 't', expires });
        expect(await adapter.useVerificationToken({ identifier: 'i', token: 't' })).not.toBeNull();
        expect(await adapter.cleanup()).toBe(1);
        await adapter.createSession({ sessionToken: 's', userId: 'ada', expires });
        await adapter.deleteSession('s');
        await adapter.deleteUser('ada');
      }
      close();
    } finally {
      await admin.send('ACL', 'DELUSER', name);
    }
  });
});
