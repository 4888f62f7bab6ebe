import { describe, expect, it } from 'vitest';
import { available } from '../../../test/services/index.ts';
import { RedisAdapter, type RedisClient } from '../src/index.ts';
import { keysOf, partOf } from '../src/keys.ts';
import { ada, github, later, rejection } from './samples.ts';
import { subject } from './subject.ts';

const odd = ['', '{', '}', '{}', '{latchkey}', '}{', ':', 'a:b', '\0', '*', ' ', '\n', 'x'.repeat(100_000), '"', '"]'];

describe('the part of a key', () => {
  it('differs for different values, and for different pairs', () => {
    const parts = [
      ...odd.map((value) => partOf(value)),
      ...odd.flatMap((first) => odd.map((second) => partOf([first, second]))),
      partOf('a\uD800'),
      partOf('a\uD801'),
      partOf('a\uFFFD'),
      partOf(['ab', 'c']),
      partOf(['a', 'bc']),
    ];
    expect(new Set(parts).size).toBe(parts.length);
    for (const part of parts) expect(part).toMatch(/^[\w-]{43}$/);
  });
});

describe('the name of a key', () => {
  const tagOf = (key: string): string | undefined => /\{([^}]+)\}/.exec(key)?.[1];
  const kinds = ['user', 'email', 'account', 'session', 'authenticator', 'token', 'spent', 'fence'] as const;

  it('has one hash tag for all keys', () => {
    const keys = keysOf('p:', 'all');
    for (const kind of kinds) expect(keys.of(kind, partOf('x'))).toBe(`p:{latchkey}:${kind}:${partOf('x')}`);
    expect(keys.allExpiring()).toEqual([keys.expiring(partOf('x'))]);
    expect(tagOf(keys.expiring(partOf('x')))).toBe('latchkey');
  });

  it('has one hash tag for the keys of a user', () => {
    const keys = keysOf('p:', 'user');
    const part = partOf('x');
    for (const kind of ['user', 'accounts', 'sessions', 'authenticators', 'fence', 'email', 'account'] as const)
      expect(tagOf(keys.of(kind, part))).toBe(part);
    for (const kind of ['session', 'token'] as const) {
      expect(tagOf(keys.of(kind, part))).toBe(tagOf(keys.expiring(part)));
      expect(keys.of(kind, part).replace(/[{}]/g, '')).toBe(`p:${kind}:${part}`);
    }
    for (const kind of ['vault', 'lease'] as const)
      expect(tagOf(keys.of(kind, part))).toBe(tagOf(keys.vaultIndex(part)));
    expect(keys.allVaultIndexes()).toContain(keys.vaultIndex(part));
    expect(keys.allExpiring()).toContain(keys.expiring(part));
    expect(new Set(keys.allExpiring()).size).toBe(64);
  });
});

describe('RedisAdapter', () => {
  it('refuses unknown options and clients', async () => {
    const client = { call: async () => null };
    const refused: [() => unknown, string][] = [
      [() => RedisAdapter(client, { prefix: 'a{b' }), '`prefix`'],
      [() => RedisAdapter(client, { prefix: '}' }), '`prefix`'],
      [() => RedisAdapter(client, { prefix: 5 as unknown as string }), '`prefix`'],
      [() => RedisAdapter(client, { tag: 'none' as 'all' }), '`tag`'],
      [() => RedisAdapter(undefined as unknown as RedisClient), 'the client'],
      [() => RedisAdapter({} as unknown as RedisClient), 'the client'],
      [() => RedisAdapter('redis://127.0.0.1' as unknown as RedisClient), 'the client'],
    ];
    for (const [work, message] of refused) {
      const error = await rejection(work);
      expect(error).toBeInstanceOf(TypeError);
      expect(String(error)).toContain(message);
    }
  });
});

describe.skipIf(!(await available('redis'))).each(['all', 'user'] as const)('hostile values, tag %s', (tag) => {
  const redis = subject();

  it('are kept and distinguished, and key names do not contain them', async () => {
    const adapter = RedisAdapter(redis().client, { prefix: redis().prefix, tag });
    for (const [index, text] of odd.entries()) {
      const id = `${index}${text}`;
      await adapter.createUser({ ...ada, id, email: `e${text}`, name: text, ['m'.concat(text)]: text });
      await adapter.linkAccount({ ...github, provider: text, userId: id });
      await adapter.createSession({ sessionToken: text, userId: id, expires: later });
    }
    for (const [index, text] of odd.entries()) {
      const id = `${index}${text}`;
      const user = { ...ada, id, email: `e${text}`, name: text, ['m'.concat(text)]: text };
      expect(await adapter.getUserByEmail(`e${text}`)).toStrictEqual(user);
      expect(await adapter.getUserByAccount({ ...github, provider: text })).toStrictEqual(user);
      expect((await adapter.getSessionAndUser(text))?.user).toStrictEqual(user);
    }
    for (const key of await redis().keys()) expect(key).toMatch(/^[\w{}:-]{1,80}$/);
  });

  it('that are secret are in no row: a session token is not stored', async () => {
    const adapter = RedisAdapter(redis().client, { prefix: redis().prefix, tag });
    await adapter.createUser(ada);
    await adapter.createSession({ sessionToken: 'very-secret-token', userId: 'ada', expires: later });
    const dump = await Promise.all(
      (await redis().keys()).map((key) =>
        redis()
          .send('DUMP', redis().prefix + key)
          .then(String),
      ),
    );
    expect(dump.join()).not.toContain('very-secret-token');
  });
});
