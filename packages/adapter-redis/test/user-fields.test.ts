import { describe, expect, expectTypeOf, it, vi } from 'vitest';
import { available } from '../../../test/services/index.ts';
import { RedisAdapter, type UserFields } from '../src/index.ts';
import { ada, rejection } from './samples.ts';
import { subject } from './subject.ts';

const client = { call: async () => null };

describe('the option `userFields`', () => {
  it('gives users their types', () => {
    const adapter = RedisAdapter(client, { userFields: { role: 'text', age: { type: 'number' }, tags: 'json' } });
    expectTypeOf<UserFields<typeof adapter>>().toEqualTypeOf<{
      role?: string | null;
      age?: number | null;
      tags?: unknown;
    }>();
    const plain = RedisAdapter(client);
    expectTypeOf<keyof UserFields<typeof plain>>().toEqualTypeOf<never>();
  });

  it('must have known kinds, and names of its own', async () => {
    for (const [userFields, message] of [
      [{ role: 'string' }, '`userFields.role` must be one of text, number, boolean, date, json'],
      [{ role: { kind: 'text' } }, '`userFields.role` must be one of'],
      [{ email: 'text' }, '`userFields.email` names a member of every user'],
    ] as const) {
      const error = await rejection(() => RedisAdapter(client, { userFields: userFields as never }));
      expect(String(error)).toContain(`TypeError: ${message}`);
    }
  });
});

describe.skipIf(!(await available('redis')))('users with `userFields`', () => {
  const redis = subject();
  const userFields = { role: 'text', tags: 'json' } as const;
  const make = (options: object = { userFields }): RedisAdapter =>
    RedisAdapter(redis().client, { prefix: redis().prefix, ...options });

  it('warn once about a member that is not listed', async () => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue();
    const adapter = make();
    await adapter.createUser({ ...ada, role: 'admin', plan: 'free' } as typeof ada);
    await adapter.updateUser({ id: 'ada', plan: 'paid' } as Partial<typeof ada> & { id: string });
    expect(warn.mock.calls).toEqual([
      [expect.stringMatching(/\[user-field-dropped\] RedisAdapter: user\.plan is not in/)],
    ]);
    warn.mockRestore();
    expect(await adapter.getUser('ada')).toStrictEqual({ ...ada, role: 'admin' });
    expect(await make({}).getUser('ada')).toStrictEqual({ ...ada, role: 'admin' });
  });

  it('do not return members that were stored before, and keep them', async () => {
    await make({}).createUser({ ...ada, role: 'admin', passwordHash: 'hash' } as typeof ada);
    expect(await make().updateUser({ id: 'ada', name: 'Countess' })).toStrictEqual({
      ...ada,
      name: 'Countess',
      role: 'admin',
    });
    expect(await make({}).getUser('ada')).toMatchObject({ name: 'Countess', passwordHash: 'hash' });
  });

  it('refuse what JSON cannot hold', async () => {
    for (const tags of [1n, Number.NaN, [new Date()], { inner: () => 1 }, new Map()]) {
      const error = await rejection(() => make().createUser({ ...ada, tags } as typeof ada));
      expect(String(error)).toBe('TypeError: user.tags must be a value that JSON can hold');
    }
  });
});
